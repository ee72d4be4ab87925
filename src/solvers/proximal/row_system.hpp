// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "solvers/proximal/working_loss.hpp"

namespace alo {

// Newton's systems (A'A + Q) t = r with many more directions than rows, most of which have a curvature of
// their own: A'A the second derivative of the loss along the directions of a geometry, Q the curvature of the
// penalty. With E the directions of a curvature and F the others, v = A t,
//
//     S v = A_E Q_E^-1 r_E + A_F t_F,   A_F'v = r_F,   S = I + A_E Q_E^-1 A_E',   t_E = Q_E^-1 (r_E - A_E'v).
//
// S is factored now and then. A new group has a short vector of coefficients and a large curvature and so
// changes S but little: conjugate gradients in the space that A_F'v = r_F leaves, preconditioned by the last
// factor, solve the system of other points and of other geometries in a few steps.
class RowSystem {
 public:
  static bool suits(const Geometry& geometry, Index rows);

  // t; none where directions without a curvature depend on each other, or S is nearly singular beside its
  // largest entries, and ever after: such problems are solved by directions.
  std::optional<Vector> solve(const WorkingLoss& loss, const Geometry& geometry,
                              const WorkingLoss::Point& point, const Vector& right);
  // H_ii = a_i'M^-1 a_i of [1 X B]; empty where directions depend on each other, or a row has no curvature.
  Vector hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point);

 private:
  // False where S is so large that the identity in it is lost.
  bool factor(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point);

  Matrix lower_;  // L L' = S where it was factored last; empty at first
  bool is_given_up_ = false;
};

}  // namespace alo
