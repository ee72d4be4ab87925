// SPDX-License-Identifier: MIT
#pragma once

#include "signals/active_knots.hpp"
#include "signals/spline_system.hpp"

namespace alo {

// A direction from a spline, in the B-splines on the active knots.
struct SplineDirection {
  const Matrix& parts;         // DiscreteSplines::difference_parts
  const SplineSystem& system;  // G
  Vector slope;                // minus the derivative of the objective in each coefficient
  Vector step;                 // G^-1 slope
};

// The result of a line search.
struct SplineMove {
  ActiveKnots knots;  // with new values and signs, without the knots whose difference has become zero
  Vector step;        // the part of the direction's step that was taken
  bool whole;         // true if the whole step was taken and no difference changed its sign
};

// Moves along a direction, at most its whole step, while
//
//   sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_m |difference m of b|
//
// falls. The line search is exact: the function is convex and quadratic between kinks, one at each change of
// a difference's sign. Each region of the signal has a length of its own. Regions are separated where the
// step is at most `small` times its largest entry for as many neighbouring B-splines as share a difference;
// these do not move.
SplineMove move_by_regions(ActiveKnots knots, const SplineDirection& direction, double lambda, double small);

}  // namespace alo
