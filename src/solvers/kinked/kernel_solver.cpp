// SPDX-License-Identifier: MIT
#include "solvers/kinked/kernel_solver.hpp"

#include <algorithm>

#include "certificate/null_fit.hpp"
#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

// A lambda that could not be solved for is approached by at most most_strides larger ones, each this factor
// apart. Only the time until a fit is found or given up depends on them.
constexpr double stride = 10.0;
constexpr int most_strides = 12;

KernelActiveSet all_rows(const Problem& problem, const RidgeColumns& columns, const Vector& weights) {
  return {weighted_kernel(problem.design(), columns.penalized, columns.factors),
          unpenalized_columns(problem, null_lambda),
          RowPlaces(row_kinks(problem.loss(), problem.data().response, weights)), problem.data().offset};
}

}  // namespace

KernelSolver::KernelSolver(const Problem& problem, const Vector& weights)
    : problem_(problem), columns_(ridge_columns(problem)), rows_(all_rows(problem, columns_, weights)) {
  const NullFit null = null_fit(problem, weights);
  Vector free = Vector::Zero((problem.intercept() ? 1 : 0) + static_cast<Index>(columns_.free.size()));
  if (problem.intercept()) free[0] = (null.linear_predictor - problem.data().offset).mean();
  rows_.start_from(free, null.gradient);
}

void KernelSolver::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  Vector free((problem_.intercept() ? 1 : 0) + static_cast<Index>(columns_.free.size()));
  if (problem_.intercept()) free[0] = start.intercept[0];
  free.tail(static_cast<Index>(columns_.free.size())) = start.coefficients.col(0)(columns_.free);
  rows_.start_from(free, fit.subgradient);
}

// A lambda far below that of the last solution may not be reached directly. Larger ones are then solved for
// first, because fits are easier the larger lambda is.
void KernelSolver::solve(double lambda) {
  double reached = lambda;
  for (int k = 0; k < most_strides && !rows_.solve(reached); ++k) reached *= stride;
  while (reached > lambda) {
    reached = std::max(lambda, reached / stride);
    rows_.solve(reached);
  }
  lambda_ = lambda;
}

Vector KernelSolver::coefficients() const {
  return coefficients(problem_.design().transpose_multiply(rows_.gradient()), unpenalized(), lambda_);
}

Vector KernelSolver::coefficients(const Vector& products, const Vector& unpenalized, double lambda) const {
  Vector result = Vector::Zero(problem_.columns());
  for (std::size_t k = 0; k < columns_.penalized.size(); ++k) {
    const Index j = columns_.penalized[k];
    result[j] = -products[j] / (lambda * columns_.factors[static_cast<Index>(k)]);
  }
  result(columns_.free) = unpenalized.tail(static_cast<Index>(columns_.free.size()));
  return result;
}

}  // namespace alo
