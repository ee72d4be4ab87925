// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/working_loss.hpp"

namespace alo {

// t with (B'F B + Q) t = r, F the second derivative of the loss at a point and Q the curvature of the
// penalty.
struct TangentStep {
  Vector directions;
  // The matrix was singular: some of the identity was added to it, and t is long where r is not in its range.
  bool damped = false;
  // L with L L' the matrix, where it was factored.
  Matrix factor;
};

// (L L')^-1 r
Vector solve_with(const Matrix& factor, const Vector& right);

// `unit` is what second derivatives are like. By a matrix of as many rows as there are directions, or where
// these are many more than rows, and most of them have a curvature of their own, by one of the rows.
TangentStep tangent_step(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                         const Vector& right, double unit);

// The two forms.
TangentStep tangent_step_by_directions(WorkingLoss& loss, const Geometry& geometry,
                                       const WorkingLoss::Point& point, const Vector& right, double unit);
TangentStep tangent_step_by_rows(const WorkingLoss& loss, const Geometry& geometry,
                                 const WorkingLoss::Point& point, const Vector& right, double unit);

// H_ii at a point; empty where it is cheaper or safer from the fit: more directions than rows, or dependent
// ones.
Vector tangent_hat(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point);

}  // namespace alo
