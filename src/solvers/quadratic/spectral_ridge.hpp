// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/problem.hpp"
#include "solvers/quadratic/free_columns.hpp"
#include "solvers/ridge_spectrum.hpp"

namespace alo {

// Solves a quadratic loss with a ridge penalty at any lambda from one singular value decomposition (Hastie,
// Tibshirani and Friedman, section 3.4.1). With the unpenalised columns (intercept included) projected out
// and A = sqrt(W) X diag(f)^-1/2 = L diag(s) R', the solution on the scale of the fit is
//
//     b = diag(f)^-1/2 R diag(s / (s^2 + lambda)) L' sqrt(W) t = diag(f)^-1/2 A' L diag(1 / (s^2 + lambda))
//     L' sqrt(W) t.
//
// With more columns than rows L and s^2 are the eigenvectors and eigenvalues of A A', which takes a fraction
// of the work. Their rounding is relative to the largest s^2, so where lambda is small beside it the singular
// values of A itself are computed.
class SpectralRidge {
 public:
  // `weights` stand in for the problem's own (a row left out).
  SpectralRidge(const Problem& problem, const VectorView& weights);

  struct Solution {
    Vector coefficients;
    double intercept = 0.0;
    // c_i H_ii: the leverages of the unpenalised columns plus sum_k L_ik^2 s_k^2 / (s_k^2 + lambda). Empty
    // where not wanted, or where one is so near one that 1 - h_i must be computed without cancellation.
    Vector leverages;
  };
  std::vector<Solution> solve(std::span<const double> lambdas, bool with_leverages);

  // The lambda at which the fit explains the given share of the squared norm of the residuals at
  // lambda = infinity, or half of what any fit explains where that is less; 1 where there is nothing to
  // explain.
  double start(double share);
  // The degrees of freedom along lambda.
  RidgeSpectrum spectrum() const { return counted_spectrum(squares_, free_.rank()); }

 private:
  Matrix take_columns(Index first, Index count);
  void decompose_rows();
  void decompose_columns();
  bool is_too_rough(double lambda) const;
  double explained_share(double lambda) const;
  double find_start(double share) const;
  Matrix penalized_coefficients(std::span<const double> lambdas) const;
  Matrix all_leverages(std::span<const double> lambdas) const;

  const Problem& problem_;
  Vector root_weights_;
  FreeColumns free_;
  Vector root_factors_;     // sqrt(f_j) of the penalised columns
  Matrix free_components_;  // of the penalised columns, in the basis of the unpenalised ones
  Vector target_;           // sqrt(w) (y - offset)
  Vector off_free_;         // the same off the unpenalised columns
  Matrix left_;             // L
  Vector squares_;          // s^2
  Matrix right_;            // R; empty where L and s^2 are those of A A'
  Vector rotated_target_;   // L' target
};

}  // namespace alo
