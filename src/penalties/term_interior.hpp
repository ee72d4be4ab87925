// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// min_b  b'H b / 2 - c'b + lambda |D b|_1,  H positive semidefinite, rows of D dependent or not.
// With multipliers u, b is optimal if and only if
//
//   c - H b = D'u,   |u_k| <= lambda,   u_k = lambda sign (D b)_k where that is not zero.
struct TermQuadratic {
  const Matrix& curvature;    // H
  const Vector& slopes;       // c
  const SparseMatrix& terms;  // D
  double lambda;
  Index blocks = 1;  // D is block diagonal, with this number of equal blocks
};

// Exactly lambda times a sign in u marks a term that is not zero (Fit::multipliers).
struct TermSolution {
  Vector coefficients;
  Vector multipliers;
};

// A primal-dual interior point method with predictor and corrector (Mehrotra 1992), for
//
//   D b = p - q,   p (lambda - u) = mu,   q (lambda + u) = mu,   p, q >= 0,   mu -> 0.
//
// It converges to the analytic centre of the optimal u, of which there are many where rows are dependent. The
// limit is strictly complementary, so that in each product one factor stays away from zero, and this tells
// which terms are zero.
class TermInterior {
 public:
  explicit TermInterior(const TermQuadratic& problem);

  // Takes steps until mu is this share of its first value; false where rounding ends the search before.
  bool reduce(double share);

  const Vector& coefficients() const { return b_; }
  const Vector& multipliers() const { return u_; }
  // The sign of each term; zero for a term that is zero.
  Vector signs() const;

 private:
  struct Step {
    Vector b, u, p, q;
  };
  bool factorize();
  // Newton's step for products that shall change by `above` and `below`, to first order.
  Step step(const Vector& above, const Vector& below) const;
  // The length, at most one, at which the step comes near a bound.
  double longest(const Step& step) const;
  // mu after a share of a step: the mean of the products.
  double mean_product(const Step& step, double length) const;

  const TermQuadratic& problem_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows_;  // D
  Matrix dense_rows_;                                  // the same, where it has many entries
  Vector b_, u_, p_, q_;
  double first_mean_ = 0.0;
  Matrix factor_;
  Vector weights_;  // W = 1 / (p / (lambda - u) + q / (lambda + u))
};

}  // namespace alo
