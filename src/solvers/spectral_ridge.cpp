// SPDX-License-Identifier: MIT
#include "solvers/spectral_ridge.hpp"

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr double near_one = 0.999;

}  // namespace

SpectralRidge::SpectralRidge(const Problem& problem, const VectorView& weights)
    : problem_(problem),
      root_weights_(weights.cwiseSqrt()),
      free_(problem, weights),
      coefficients_(Vector::Zero(problem.columns())) {
  const std::vector<Index>& penalized = free_.penalized();
  root_factors_ = problem.penalty().separable(problem.columns())->square(penalized).cwiseSqrt();
  target_ = root_weights_.cwiseProduct(problem.data().response - problem.data().offset);
  Matrix columns = root_weights_.asDiagonal() * problem.design().gather(penalized);
  columns.array().rowwise() /= root_factors_.transpose().array();
  free_.project_out(columns);
  decomposition_ = blas::singular_values(std::move(columns));

  Matrix off = target_;
  free_.project_out(off);
  null_residual_ = off.squaredNorm();
  rotated_target_ = decomposition_.u.transpose() * off;
}

void SpectralRidge::solve(double lambda) {
  lambda_ = lambda;
  const Vector& s = decomposition_.s;
  // At lambda = 0 directions without data stay at zero.
  const double smallest = s.size() == 0 ? 0.0 : rank_tolerance * s[0];
  Vector shrunk = Vector::Zero(s.size());
  for (Index k = 0; k < s.size(); ++k) {
    if (lambda > 0.0 || s[k] > smallest) shrunk[k] = s[k] * rotated_target_[k] / (s[k] * s[k] + lambda);
  }
  const Vector penalized = blas::multiply_vector(decomposition_.v, shrunk).cwiseQuotient(root_factors_);
  const std::vector<Index>& columns = free_.penalized();
  coefficients_.setZero();
  coefficients_(columns) = penalized;
  if (free_.empty()) return;
  const Vector fitted = root_weights_.cwiseProduct(problem_.design().multiply(columns, penalized));
  free_.solve(target_ - fitted, intercept_, coefficients_);
}

Vector SpectralRidge::leverages() const {
  const auto squared = decomposition_.s.array().square();
  if (!(lambda_ > 0.0)) return {};
  const Vector kept = squared / (squared + lambda_);
  Vector result = free_.leverages();
  for (Index k = 0; k < kept.size(); ++k) result += kept[k] * decomposition_.u.col(k).cwiseAbs2();
  if (!(result.maxCoeff() < near_one)) result.resize(0);
  return result;
}

double SpectralRidge::explained_share(double lambda) const {
  if (null_residual_ == 0.0) return 0.0;
  // |t|^2 - |t - fit|^2 = sum_k c_k^2 (1 - (lambda / (s_k^2 + lambda))^2).
  const auto squared = decomposition_.s.array().square();
  const auto kept = lambda / (squared + lambda);
  return (rotated_target_.array().square() * (1.0 - kept.square())).sum() / null_residual_;
}

}  // namespace alo
