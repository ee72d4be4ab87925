// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"

namespace alo {

// Solvers work on the scale of the fit: standardised columns, which the design's view also centres where the
// problem has intercepts, so that the intercepts are those of b0 + (X - 1 m')b. A Fit is on the original
// scale. The two functions convert between them.

struct StartingPoint {
  Matrix coefficients;  // p x K
  Vector intercept;     // K
};
StartingPoint starting_point(const Problem& problem, const Fit& fit);

// Only lambda, coefficients and intercepts are set.
Fit make_fit(const Problem& problem, double lambda, const Vector& coefficients, const Vector& intercept);

}  // namespace alo
