// SPDX-License-Identifier: MIT
#include "solvers/quadratic/scaled_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "linalg/select.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

ScaledColumns::ScaledColumns(const Problem& problem, const VectorView& weights)
    : problem_(problem), free_(problem, weights), root_weights_(weights.cwiseSqrt()) {
  Matrix target = root_weights_.cwiseProduct(problem.data().response - problem.data().offset);
  free_target_ = free_.basis().transpose() * target;
  free_.project_out(target);
  target_ = target;
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  factors_ = terms.absolute(free_.penalized());
  unit_weights_ = (weights.array() == 1.0).all();
  largest_root_weight_ = root_weights_.maxCoeff();
  unit_factors_ = (factors_.array() == 1.0).all();
  const Vector squares = factors_.cwiseAbs2();
  square_ = terms.square(free_.penalized()).cwiseQuotient(squares);
  fixed_square_ = terms.fixed_square(free_.penalized()).cwiseQuotient(squares);
  square_norms_ = problem.design().weighted_square_norms(weights)(free_.penalized()).cwiseQuotient(squares);
  if (count() > 0) unit_ = square_norms_.mean();
  if (!(unit_ > 0.0)) unit_ = 1.0;
  square_norms_ /= unit_;
  free_products_ = transpose_multiply(free_.basis()).transpose();
}

Vector ScaledColumns::ridge(double lambda) const {
  return (lambda * square_ + fixed_square_) / unit_;
}

bool ScaledColumns::depends(Index candidate, double pivot, const Vector& ridge) const {
  return !(pivot > tolerances::tableau_pivot * (square_norms_[candidate] + ridge[candidate]));
}

std::vector<Index> ScaledColumns::positions(std::span<const Index> candidates) const {
  std::vector<Index> columns;
  columns.reserve(candidates.size());
  for (const Index c : candidates) columns.push_back(free_.penalized()[static_cast<std::size_t>(c)]);
  return columns;
}

Matrix ScaledColumns::gather(std::span<const Index> candidates) const {
  Matrix columns = problem_.design().gather(positions(candidates));
  if (!unit_weights_) columns.array().colwise() *= root_weights_.array();
  if (!unit_factors_) columns.array().rowwise() /= select(factors_, candidates).transpose().array();
  free_.project_out(columns);
  return columns;
}

MatrixView ScaledColumns::view(std::span<const Index> candidates, Matrix& storage) const {
  const Design& design = problem_.design();
  const bool as_stored = !design.is_sparse() && design.center().size() == 0 &&
                         (design.scale().size() == 0 || (design.scale().array() == 1.0).all()) &&
                         unit_weights_ && unit_factors_ && free_.empty();
  const std::vector<Index> columns = positions(candidates);
  const auto gap =
      std::adjacent_find(columns.begin(), columns.end(), [](Index a, Index b) { return b != a + 1; });
  if (as_stored && !columns.empty() && gap == columns.end()) {
    return design.dense_values().middleCols(columns.front(), static_cast<Index>(columns.size()));
  }
  storage = gather(candidates);
  return storage;
}

Matrix ScaledColumns::multiply(const RowBlock& rows, std::span<const Index> candidates,
                               const MatrixView& coefficients) const {
  const Matrix own = unit_factors_
                         ? Matrix(coefficients)
                         : Matrix(select(factors_, candidates).cwiseInverse().asDiagonal() * coefficients);
  Matrix result = multiply_rows(problem_.design(), rows, positions(candidates), own);
  if (!unit_weights_) {
    result.array().colwise() *= root_weights_.segment(rows.first, rows.count).array();
  }
  if (!free_.empty()) {
    result -= free_.basis().middleRows(rows.first, rows.count) *
              (free_products_(Eigen::all, candidates) * coefficients);
  }
  return result;
}

Matrix ScaledColumns::entries(std::span<const Index> rows, std::span<const Index> candidates) const {
  const Design& design = problem_.design();
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(candidates.size()));
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Index j = free_.penalized()[static_cast<std::size_t>(candidates[k])];
    const double center = design.center().size() == 0 ? 0.0 : design.center()[j];
    const double scale = (design.scale().size() == 0 ? 1.0 : design.scale()[j]) * factors_[candidates[k]];
    const auto column = design.dense_values().col(j);
    for (std::size_t m = 0; m < rows.size(); ++m) {
      result(static_cast<Index>(m), static_cast<Index>(k)) =
          root_weights_[rows[m]] * (column[rows[m]] - center) / scale;
    }
  }
  if (free_.empty()) return result;
  const Matrix along = free_products_(Eigen::all, candidates);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    result.row(static_cast<Index>(m)) -= free_.basis().row(rows[m]) * along;
  }
  return result;
}

double ScaledColumns::largest_product(Index candidate, const Vector& moved, double farthest) const {
  const Design& design = problem_.design();
  const Index j = free_.penalized()[static_cast<std::size_t>(candidate)];
  const double center = design.center().size() == 0 ? 0.0 : std::abs(design.center()[j]);
  const double scale = (design.scale().size() == 0 ? 1.0 : design.scale()[j]) * factors_[candidate];
  double largest = center * farthest;
  for (SparseMap::InnerIterator entry(design.sparse_values(), j); entry; ++entry) {
    largest = std::max(largest, (std::abs(entry.value()) + center) * moved[entry.row()]);
  }
  return largest_root_weight_ * largest / scale;
}

Matrix ScaledColumns::gather(const RowBlock& rows, std::span<const Index> candidates) const {
  Matrix block = gather_rows(problem_.design(), rows, positions(candidates));
  if (!unit_weights_) block.array().colwise() *= root_weights_.segment(rows.first, rows.count).array();
  if (!unit_factors_) block.array().rowwise() /= select(factors_, candidates).transpose().array();
  if (!free_.empty()) {
    const Matrix along = free_products_(Eigen::all, candidates);
    block -= free_.basis().middleRows(rows.first, rows.count) * along;
  }
  return block;
}

Matrix ScaledColumns::gram(std::span<const Index> candidates) const {
  const auto count = static_cast<Index>(candidates.size());
  Matrix result = pass_over_rows(
      rows(), rows_of_block(), Matrix(Matrix::Zero(count, count)),
      [&](const RowBlock& block, Matrix& sum) { blas::add_gram(sum, gather(block, candidates)); });
  result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
  return result;
}

Matrix ScaledColumns::transpose_multiply(std::span<const Index> candidates, const MatrixView& values) const {
  const std::vector<Index> columns = positions(candidates);
  Matrix result = unit_weights_ ? problem_.design().transpose_multiply_columns(columns, values)
                                : problem_.design().transpose_multiply_columns(
                                      columns, root_weights_.asDiagonal() * values);
  if (!unit_factors_) result.array().colwise() /= select(factors_, candidates).array();
  return result;
}

Matrix ScaledColumns::transpose_multiply(const MatrixView& values) const {
  std::vector<Index> all(static_cast<std::size_t>(count()));
  std::iota(all.begin(), all.end(), Index{0});
  return transpose_multiply(all, values);
}

Matrix ScaledColumns::fitted(std::span<const Index> candidates, const MatrixView& coefficients) const {
  const std::vector<Index> columns = positions(candidates);
  Matrix result = unit_factors_
                      ? problem_.design().multiply_columns(columns, coefficients)
                      : problem_.design().multiply_columns(
                            columns, select(factors_, candidates).cwiseInverse().asDiagonal() * coefficients);
  if (!unit_weights_) result.array().colwise() *= root_weights_.array();
  return result;
}

Matrix ScaledColumns::multiply(std::span<const Index> candidates, const MatrixView& coefficients) const {
  Matrix result = fitted(candidates, coefficients);
  free_.project_out(result);
  return result;
}

Vector ScaledColumns::coefficients(const VectorView& scaled) const {
  return scaled(free_.penalized()).cwiseProduct(factors_);
}

ScaledColumns::Solution ScaledColumns::solution(std::span<const Index> candidates,
                                                const VectorView& coefficients) const {
  Solution solution;
  solution.coefficients = Vector::Zero(problem_.columns());
  const std::vector<Index> columns = positions(candidates);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    solution.coefficients[columns[k]] = coefficients[static_cast<Index>(k)] / factors_[candidates[k]];
  }
  if (free_.empty()) return solution;
  const Vector products = free_target_ - free_products_(Eigen::all, candidates) * coefficients;
  free_.solve(products, solution.intercept, solution.coefficients);
  return solution;
}

}  // namespace alo
