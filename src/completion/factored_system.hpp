// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"
#include "completion/factored_loss.hpp"

namespace alo {

// The second derivative of the factored objective
//
//     f(L R') + lambda (|L|^2 + |R|^2) / 2
//
// at a point, as an operator on directions (dL, dR) side by side (entry_products.hpp):
//
//     J'W (J d - mean_W(J d)) + (G dR, G'dL) + lambda d,    J d at (a, b) = dL_a'R_b + L_a'dR_b,
//
// where the mean is subtracted only with an intercept. At an optimum it vanishes along the rotations
// (L K, R K) with skew K, and is positive definite on their complement if |G|_2 < lambda off the range of B.
// For a tangent vector D = dL R' + L dR' of the manifold of fixed rank, the minimum of d'(...)d over all
// (dL, dR) that give D is the second derivative of loss + lambda |B|_* along the manifold in the direction D.
class FactoredSystem {
 public:
  FactoredSystem(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda);

  Matrix multiply(const Matrix& direction) const;

  struct Solution {
    Matrix direction;
    int steps = 0;
    bool solved = false;  // false after too many steps, or where a direction was not curved upwards
  };
  // Conjugate gradients, preconditioned by the inverse blocks of J'WJ + lambda of single rows and columns,
  // until the error is `tolerance` times the first one in the preconditioner's norm.
  Solution solve(const Matrix& target, double tolerance, int most_steps) const;

  const Vector& curvature() const { return curvature_; }
  // R_b'D_a^-1 R_b and L_a'D_b^-1 L_a of each entry (a, b), D being the preconditioner's blocks.
  struct OneSided {
    Vector by_row;
    Vector by_column;
  };
  OneSided one_sided() const;
  // J d, the intercept following.
  Vector predictor_move(const Matrix& direction) const;
  // J'(numbers - W mean(numbers)): the adjoint of that.
  Matrix adjoint(Vector numbers) const;

 private:
  Matrix precondition(const Matrix& vectors) const;

  const FactoredLoss& loss_;
  const FactoredLoss::Point& point_;
  double lambda_;
  Vector curvature_;
  double total_ = 0.0;     // sum_j W_j with an intercept, else zero
  Matrix mean_direction_;  // J'W 1 with an intercept
  Matrix inverse_blocks_;  // k x k blocks, or their diagonals where blocks would take too much memory
  bool diagonal_ = false;
};

}  // namespace alo
