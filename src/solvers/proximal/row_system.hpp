// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "solvers/proximal/row_elimination.hpp"

namespace alo {

// Newton's systems with many more directions than rows, most of which have a curvature of their own, in the
// coordinates of the rows (row_elimination.hpp).
//
// S is factored now and then. A group that becomes active has a short vector of coefficients, so a large
// curvature, and changes S but little: conjugate gradients, preconditioned by the last factor, solve the
// systems of other points and of other geometries in a few steps.
class RowSystem {
 public:
  static bool is_worth(const Geometry& geometry, Index rows);

  // t; none where directions without a curvature depend on each other, or S is nearly singular beside its
  // largest entries. From then on there is never any: such problems are solved by directions.
  std::optional<Vector> solve(const WorkingLoss& loss, const Geometry& geometry,
                              const WorkingLoss::Point& point, const Vector& right);
  // H_ii of the rows (RowElimination), whose factor of S is the next preconditioner.
  Vector hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point);

 private:
  std::shared_ptr<const Matrix> lower_;  // L L' = S where it was factored last; null at first
  bool is_given_up_ = false;
};

}  // namespace alo
