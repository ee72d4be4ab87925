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
  Index blocks = 1;  // D is a smaller matrix so many times on its diagonal
};

// Exactly lambda times a sign in u marks a term that is not zero (Fit::multipliers).
struct TermSolution {
  Vector coefficients;
  Vector multipliers;
};

// A primal-dual interior point with predictor and corrector (Mehrotra 1992), for
//
//   D b = p - q,   p (lambda - u) = mu,   q (lambda + u) = mu,   p, q >= 0,   mu -> 0.
//
// It ends in the middle of all optimal u, of which dependent rows have many: so the terms that are zero are
// told from the others by which factor of each product is the small one.
class TermInterior {
 public:
  explicit TermInterior(const TermQuadratic& problem);

  // Until mu is this share of what it was at the start; false where rounding ends it before.
  bool reduce(double share);

  const Vector& coefficients() const { return b_; }
  const Vector& multipliers() const { return u_; }
  // The sign of each term, 0 where it is zero.
  Vector signs() const;

 private:
  struct Step {
    Vector b, u, p, q;
  };
  bool factorise();
  // The step that takes the products to zero plus what is given for each.
  Step step(const Vector& above, const Vector& below) const;
  double longest(const Step& step) const;
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
