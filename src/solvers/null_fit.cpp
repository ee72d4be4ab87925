// SPDX-License-Identifier: MIT
#include "solvers/null_fit.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "linalg/blas.hpp"

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr int most_steps = 100;
constexpr int most_halvings = 60;
// A move this small, relative to the linear predictor, is the last but one of a quadratic approach.
constexpr double small_move = 1e-7;
// Where the loss has a slope but no curvature, the curvature that stands in for it, relative to the weights.
constexpr double stand_in_curvature = 1e-8;
constexpr double unsolved_share = 1e-6;

}  // namespace

Matrix unpenalized_columns(const Problem& problem, double lambda) {
  std::vector<Index> columns = problem.penalty().unpenalized(problem.columns(), lambda);
  const std::vector<Index>& constant = problem.constant_columns();
  std::erase_if(columns, [&](Index j) { return std::binary_search(constant.begin(), constant.end(), j); });
  const Index free = static_cast<Index>(columns.size());
  Matrix result(problem.rows(), (problem.intercept() ? 1 : 0) + free);
  if (problem.intercept()) result.col(0).setOnes();
  result.rightCols(free) = problem.design().gather(columns);
  return result;
}

Vector without_constant_columns(const Problem& problem, Vector slopes) {
  for (const Index j : problem.constant_columns()) by_output(slopes, problem.outputs()).row(j).setZero();
  return slopes;
}

UnpenalizedPart::UnpenalizedPart(const Problem& problem, Vector weights, double lambda)
    : problem_(problem),
      weights_(std::move(weights)),
      basis_(blas::orthonormal_basis(unpenalized_columns(problem, lambda), rank_tolerance)) {}

double UnpenalizedPart::objective(const Vector& predictor) const {
  return weights_.dot(problem_.loss().value(predictor, problem_.data().response));
}

Matrix UnpenalizedPart::direction(const Vector& predictor, const Matrix& gradient) const {
  const Index outputs = problem_.outputs();
  const Index width = basis_.cols();
  const Vector flat = problem_.loss().curvature(predictor, problem_.data().response);
  const auto curvature = by_output(flat, outputs * outputs);
  Matrix system(width * outputs, width * outputs);
  for (Index block = 0; block < outputs * outputs; ++block) {
    const Matrix weighted = weights_.cwiseProduct(curvature.col(block)).asDiagonal() * basis_;
    system.block(width * (block % outputs), width * (block / outputs), width, width) =
        basis_.transpose() * weighted;
  }
  const Vector right = gradient.reshaped();
  Vector solution = system.completeOrthogonalDecomposition().solve(right);
  const Vector unsolved = right - system * solution;
  if (unsolved.norm() > unsolved_share * right.norm()) {
    solution += unsolved / (stand_in_curvature * weights_.maxCoeff());
  }
  return by_output(solution, outputs);
}

bool UnpenalizedPart::settle(Vector& predictor) const {
  if (empty()) return true;
  const Index outputs = problem_.outputs();
  double value = objective(predictor);
  bool near = false;
  for (int step = 0; step < most_steps; ++step) {
    const Vector slopes = problem_.loss().derivative(predictor, problem_.data().response);
    const Matrix gradient = basis_.transpose() * (weights_.asDiagonal() * by_output(slopes, outputs));
    if (gradient.isZero(0.0)) return true;
    const Vector move = (basis_ * direction(predictor, gradient)).reshaped();
    if (near) {
      predictor -= move;
      return true;
    }
    near = move.lpNorm<Eigen::Infinity>() <= small_move * (1.0 + predictor.lpNorm<Eigen::Infinity>()) ||
           problem_.loss().is_quadratic();
    double length = 1.0;
    Vector next = predictor - move;
    double next_value = objective(next);
    for (int halving = 0; !near && !(next_value <= value) && halving < most_halvings; ++halving) {
      length *= 0.5;
      next = predictor - length * move;
      next_value = objective(next);
    }
    if (!near && !(next_value <= value)) return false;
    predictor = std::move(next);
    value = next_value;
  }
  return false;
}

NullFit null_fit(const Problem& problem, const Vector& weights) {
  NullFit fit;
  fit.linear_predictor = problem.data().offset.replicate(problem.outputs(), 1);
  fit.attained = UnpenalizedPart(problem, weights, null_lambda).settle(fit.linear_predictor);
  return fit;
}

}  // namespace alo
