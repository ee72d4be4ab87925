// SPDX-License-Identifier: MIT
#pragma once

#include "signals/active_knots.hpp"
#include "signals/spline_system.hpp"

namespace alo {

// A direction from a spline, in the B-splines on the active knots.
struct SplineDirection {
  const Matrix& parts;         // DiscreteSplines::difference_parts
  const SplineSystem& system;  // G
  Vector slope;                // by how much the objective falls along each B-spline
  Vector step;                 // G^-1 slope
};

// What a line search has done.
struct SplineMove {
  ActiveKnots knots;  // with new values and signs, without those whose difference has become zero
  Vector step;        // the part of the direction's step that was taken
  bool whole;         // true if that is all of it and no difference changed its sign
};

// Moves along a direction, at most its whole step, while
//
//   sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_m |difference m of b|
//
// falls: by an exact line search along a convex function that is quadratic between kinks, one at each change
// of a difference's sign. Each region of the signal goes as far as is good for it. Regions are parted where
// the step is at most the share `small` of its largest entry for as many B-splines in a row as have a
// difference in common; these do not move.
SplineMove move_by_regions(ActiveKnots knots, const SplineDirection& direction, double lambda, double small);

}  // namespace alo
