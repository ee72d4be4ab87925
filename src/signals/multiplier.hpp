// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace alo {

// Keeps a scaled dual point inside its bounds when the product is rounded up.
inline constexpr double rounding_margin = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();

// What Fit::multipliers holds for a term of D b, from a multiplier that rounding has touched: exactly lambda
// with the sign of the term, and where the term is zero less than lambda, reaching which is the mark of the
// others.
inline double marked_multiplier(double multiplier, double term, double lambda) {
  const double bound = rounding_margin * lambda;
  return term != 0.0 ? std::copysign(lambda, term) : std::clamp(multiplier, -bound, bound);
}

}  // namespace alo
