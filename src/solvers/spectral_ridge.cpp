// SPDX-License-Identifier: MIT
#include "solvers/spectral_ridge.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-12;

void project_out(const Matrix& basis, Matrix& columns) {
  // Twice is enough for orthogonality to rounding.
  for (int pass = 0; pass < 2 && basis.cols() > 0; ++pass) {
    columns -= blas::multiply(basis, blas::transpose_multiply(basis, columns));
  }
}

}  // namespace

SpectralRidge::SpectralRidge(const Problem& problem, const VectorView& weights)
    : problem_(problem), root_weights_(weights.cwiseSqrt()), coefficients_(Vector::Zero(problem.columns())) {
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const std::vector<Index>& constant = problem.constant_columns();
  for (Index j = 0; j < problem.columns(); ++j) {
    if (std::binary_search(constant.begin(), constant.end(), j) || std::isinf(terms.square[j])) continue;
    (terms.square[j] > 0.0 ? penalized_ : free_).push_back(j);
  }
  root_factors_.resize(static_cast<Index>(penalized_.size()));
  for (std::size_t k = 0; k < penalized_.size(); ++k) {
    root_factors_[static_cast<Index>(k)] = std::sqrt(terms.square[penalized_[k]]);
  }

  const Index first = problem.intercept() ? 1 : 0;
  free_columns_.resize(problem.rows(), first + static_cast<Index>(free_.size()));
  if (problem.intercept()) free_columns_.col(0) = root_weights_;
  free_columns_.rightCols(static_cast<Index>(free_.size())) =
      root_weights_.asDiagonal() * problem.design().gather(free_);
  const Matrix basis = blas::orthonormal_basis(free_columns_, rank_tolerance);

  target_ = root_weights_.cwiseProduct(problem.data().response - problem.data().offset);
  Matrix columns = root_weights_.asDiagonal() * problem.design().gather(penalized_);
  columns.array().rowwise() /= root_factors_.transpose().array();
  project_out(basis, columns);
  decomposition_ = blas::singular_values(std::move(columns));

  Matrix off = target_;
  project_out(basis, off);
  null_residual_ = off.squaredNorm();
  rotated_target_ = decomposition_.u.transpose() * off;
}

void SpectralRidge::solve(double lambda) {
  const Vector& s = decomposition_.s;
  // At lambda = 0 directions without data stay at zero.
  const double smallest = s.size() == 0 ? 0.0 : rank_tolerance * s[0];
  Vector shrunk = Vector::Zero(s.size());
  for (Index k = 0; k < s.size(); ++k) {
    if (lambda > 0.0 || s[k] > smallest) shrunk[k] = s[k] * rotated_target_[k] / (s[k] * s[k] + lambda);
  }
  const Vector penalized = blas::multiply_vector(decomposition_.v, shrunk).cwiseQuotient(root_factors_);
  coefficients_.setZero();
  for (std::size_t k = 0; k < penalized_.size(); ++k) {
    coefficients_[penalized_[k]] = penalized[static_cast<Index>(k)];
  }
  if (free_columns_.cols() == 0) return;

  const Vector rest = target_ - root_weights_.cwiseProduct(problem_.design().multiply(penalized_, penalized));
  const Vector free = free_columns_.completeOrthogonalDecomposition().solve(rest);
  const Index first = problem_.intercept() ? 1 : 0;
  if (problem_.intercept()) intercept_ = free[0];
  for (std::size_t k = 0; k < free_.size(); ++k)
    coefficients_[free_[k]] = free[first + static_cast<Index>(k)];
}

double SpectralRidge::explained_share(double lambda) const {
  if (null_residual_ == 0.0) return 0.0;
  // |t|^2 - |t - fit|^2 = sum_k c_k^2 (1 - (lambda / (s_k^2 + lambda))^2).
  const auto squared = decomposition_.s.array().square();
  const auto kept = lambda / (squared + lambda);
  return (rotated_target_.array().square() * (1.0 - kept.square())).sum() / null_residual_;
}

}  // namespace alo
