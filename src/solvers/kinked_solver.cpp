// SPDX-License-Identifier: MIT
#include "solvers/kinked_solver.hpp"

#include "solvers/null_fit.hpp"

namespace alo {

namespace {

PinnedRows all_rows(const Problem& problem, const Vector& weights) {
  RowKernel kernel = row_kernel(problem);
  return {std::move(kernel.kernel), std::move(kernel.free),
          KinkedRows(problem.loss(), problem.data().response, weights), problem.data().offset};
}

}  // namespace

KinkedSolver::KinkedSolver(const Problem& problem, Vector weights)
    : problem_(problem),
      weights_(std::move(weights)),
      columns_(ridge_columns(problem)),
      rows_(all_rows(problem, weights_)) {
  const NullFit null = null_fit(problem, weights_);
  gradient_ = null.gradient;
  free_coefficients_ = Vector::Zero((problem.intercept() ? 1 : 0) + static_cast<Index>(columns_.free.size()));
  if (problem.intercept()) free_coefficients_[0] = (null.linear_predictor - problem.data().offset).mean();
  rows_.start_from(gradient_, free_coefficients_);
}

void KinkedSolver::start_from(const Fit& fit) {
  gradient_ = fit.subgradient;
  const Vector scaled = problem_.scale().cwiseProduct(fit.coefficients);
  const Index intercepts = problem_.intercept() ? 1 : 0;
  free_coefficients_.resize(intercepts + static_cast<Index>(columns_.free.size()));
  if (problem_.intercept()) {
    free_coefficients_[0] = fit.intercept[0] + fit.coefficients.dot(problem_.design().center());
  }
  free_coefficients_.tail(static_cast<Index>(columns_.free.size())) = scaled(columns_.free);
  rows_.start_from(gradient_, free_coefficients_);
}

void KinkedSolver::solve(double lambda) {
  lambda_ = lambda;
  rows_.solve(lambda);
  gradient_ = rows_.gradient();
  free_coefficients_ = rows_.free_coefficients();
}

Vector KinkedSolver::coefficients() const {
  const Vector slopes = problem_.design().transpose_multiply(gradient_);
  Vector result = Vector::Zero(problem_.columns());
  for (std::size_t k = 0; k < columns_.penalized.size(); ++k) {
    const Index j = columns_.penalized[k];
    result[j] = -slopes[j] / (lambda_ * columns_.factors[static_cast<Index>(k)]);
  }
  const Index intercepts = problem_.intercept() ? 1 : 0;
  for (std::size_t k = 0; k < columns_.free.size(); ++k) {
    result[columns_.free[k]] = free_coefficients_[intercepts + static_cast<Index>(k)];
  }
  return result;
}

double KinkedSolver::intercept() const {
  return problem_.intercept() ? free_coefficients_[0] : 0.0;
}

Vector KinkedSolver::hat() {
  return rows_.hat();
}

}  // namespace alo
