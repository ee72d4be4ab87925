// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "solvers/proximal/damped_factor.hpp"
#include "solvers/proximal/working_loss.hpp"

namespace alo {

// Newton's systems (A'A + Q) t = r on a tangent space in the coordinates of the rows: A'A is the second
// derivative of the loss along the directions of a geometry, A having a row for each row of the data, and Q
// is the curvature of the penalty. With E the directions of positive curvature, F the others and v = A t,
//
//     S v = A_E Q_E^-1 r_E + A_F t_F,   A_F'v = r_F,   S = I + A_E Q_E^-1 A_E',   t_E = Q_E^-1 (r_E - A_E'v).
//
// S has the size of the rows: this is the smaller system where directions are many more and F are few.

// The columns of A.
struct TangentColumns {
  TangentColumns(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point);
  // L with L L' = S; null where S is so large, or not finite, that it has none to rounding.
  std::shared_ptr<const Matrix> row_factor() const;

  std::vector<Index> curved;    // E
  std::vector<Index> straight;  // F
  Vector roots;                 // Q_E^1/2
  Matrix scaled;                // A_E Q_E^-1/2
  Matrix free;                  // A_F
};

// Whether the identity in S keeps enough digits beside the rest for S^-1.
bool keeps_identity(const Matrix& lower);

// The solution for v and t_F, given a factor of S, by G = L^-1 A_F:
//
//     G'G t_F = r_F - G'L^-1 A_E Q_E^-1 r_E,   v = L^-T (L^-1 A_E Q_E^-1 r_E + G t_F).
class RowElimination {
 public:
  // `unit` is the size of typical second derivatives (damped_factor).
  RowElimination(std::shared_ptr<const Matrix> lower, Matrix free, double unit);
  // Damped where directions of F depend on each other.
  DampedFactor::Outcome outcome() const { return inner_.outcome; }

  struct Solution {
    Vector rows;      // v
    Vector straight;  // t_F
    double square;    // |L'v|^2
  };
  // `given` is A_E Q_E^-1 r_E.
  Solution solve(const Vector& given, const Vector& right_straight) const;
  // H_ii = a_i'(A'A + Q)^-1 a_i of [1 X B] from 1 - w_i l''_i H_ii, the diagonal of
  // S^-1 - S^-1 A_F (A_F'S^-1 A_F)^-1 A_F'S^-1. Empty where directions are nearly dependent, or a row has no
  // curvature.
  Vector hat(const WorkingLoss& loss, const WorkingLoss::Point& point) const;

 private:
  std::shared_ptr<const Matrix> lower_;
  Matrix free_;         // G
  DampedFactor inner_;  // of G'G
};

}  // namespace alo
