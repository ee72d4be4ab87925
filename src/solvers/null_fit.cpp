// SPDX-License-Identifier: MIT
#include "solvers/null_fit.hpp"

#include <algorithm>

#include <Eigen/QR>

namespace alo {

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
  for (const Index j : problem.constant_columns()) slopes[j] = 0.0;
  return slopes;
}

Vector null_linear_predictor(const Problem& problem, const VectorView& weights) {
  const Dataset& data = problem.data();
  Vector predictor = data.offset;
  const Matrix columns = unpenalized_columns(problem, null_lambda);
  if (columns.cols() == 0) return predictor;
  // Newton steps, rank-revealing so that dependent columns do no harm. One step solves a
  // quadratic loss; the second takes off the rounding of the first.
  for (int step = 0; step < 2; ++step) {
    const Vector root = (weights.array() * problem.loss().curvature(predictor, data.response).array()).sqrt();
    const Vector gradient = weights.cwiseProduct(problem.loss().derivative(predictor, data.response));
    const Vector target = (root.array() > 0.0).select(gradient.array() / root.array(), 0.0);
    const Matrix weighted = root.asDiagonal() * columns;
    predictor -= columns * weighted.completeOrthogonalDecomposition().solve(target);
  }
  return predictor;
}

}  // namespace alo
