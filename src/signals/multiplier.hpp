// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace alo {

// Dual points are scaled to this share of their bound, so that products rounded up stay within it: two
// roundings are two epsilon. At ten times a gap grows by 1e-14 of the penalty; below two epsilon points may
// be infeasible.
inline constexpr double rounding_margin = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();

// The entry of Fit::multipliers for a term of D b, from a computed multiplier: exactly lambda with the sign
// of the term if that is not zero, and otherwise a number below lambda in absolute value. So |u| = lambda
// marks the terms that are not zero.
inline double marked_multiplier(double multiplier, double term, double lambda) {
  const double bound = rounding_margin * lambda;
  return term != 0.0 ? std::copysign(lambda, term) : std::clamp(multiplier, -bound, bound);
}

}  // namespace alo
