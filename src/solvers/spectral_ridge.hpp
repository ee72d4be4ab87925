// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"
#include "linalg/blas.hpp"
#include "solvers/free_columns.hpp"

namespace alo {

// Solves a quadratic loss with a ridge penalty at any lambda from one singular value
// decomposition. With U the unpenalised columns (intercept included) projected out,
// sqrt(W) X diag(f)^-1/2 = L diag(s) R', the solution on the scale of the fit is
//
//     b = diag(f)^-1/2 R diag(s / (s^2 + lambda)) L' sqrt(W) t.
class SpectralRidge {
 public:
  // `weights` stand in for the problem's own (a row left out).
  SpectralRidge(const Problem& problem, const VectorView& weights);

  void solve(double lambda);
  const Vector& coefficients() const { return coefficients_; }
  double intercept() const { return intercept_; }
  // c_i H_ii at the last lambda, the unpenalised columns' own plus sum_k L_ik^2 s_k^2 / (s_k^2 + lambda);
  // empty where one is so near one that its distance from there is better computed by itself.
  Vector leverages() const;

  // Squared residual norm at lambda = infinity less that at lambda, over the former.
  double explained_share(double lambda) const;

 private:
  const Problem& problem_;
  Vector root_weights_;
  FreeColumns free_;
  Vector root_factors_;  // sqrt(f_j) of the penalised columns
  blas::SingularValues decomposition_;
  Vector target_;               // sqrt(w) (y - offset)
  Vector rotated_target_;       // L' target
  double null_residual_ = 0.0;  // squared norm of the target off the unpenalised columns
  double lambda_ = 0.0;
  Vector coefficients_;
  double intercept_ = 0.0;
};

}  // namespace alo
