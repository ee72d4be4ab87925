// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"

namespace alo {

// A fit as solvers have it: coefficients on the scale of the fit, intercepts of centred columns,
// b0 + (X - 1 m')b, where the problem has intercepts.
struct StartingPoint {
  Matrix coefficients;  // p x K
  Vector intercept;     // K
};
StartingPoint starting_point(const Problem& problem, const Fit& fit);

}  // namespace alo
