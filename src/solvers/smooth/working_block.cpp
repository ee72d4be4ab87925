// SPDX-License-Identifier: MIT
#include "solvers/smooth/working_block.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/single_precision.hpp"
#include "solvers/smooth/sparse_rows.hpp"

namespace alo {

namespace {

// A sparse design with a larger share of stored entries is copied to dense columns: an operation on scattered
// entries takes about ten times as long as one on a dense column. Only the speed depends on it.
constexpr double sparse_share = 0.1;
// The times of an operation on vectors, and of one on scattered entries, in operations of a matrix product.
// They decide when a new factor is due; only the speed depends on them.
constexpr double vector_cost = 4.0;
constexpr double scattered_cost = 40.0;
// Rows whose leverages are computed by one triangular solve; only speed and memory depend on it.
constexpr Index rows_at_once = 512;
// From this many operations on, leverages are computed in single precision, which is twice as fast; fewer are
// not worth it.
constexpr double worth_single = 1e7;
// Leverages from here on are computed in double precision: below it 1 - h_i is at least a half and keeps the
// relative precision of h_i. At 0.95 errors of the prediction would be twenty times larger.
constexpr double large_leverage = 0.5;

bool is_worth_sparse(const Design& design) {
  const double entries = static_cast<double>(design.rows()) * static_cast<double>(design.columns());
  return design.is_sparse() && static_cast<double>(design.stored_entries()) <= sparse_share * entries;
}

// The coordinates of one output, as places in the list.
std::vector<std::vector<Index>> places_by_output(std::span<const Coordinate> coordinates, Index outputs) {
  std::vector<std::vector<Index>> places(static_cast<std::size_t>(outputs));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    places[static_cast<std::size_t>(coordinates[k].output)].push_back(static_cast<Index>(k));
  }
  return places;
}

}  // namespace

WorkingBlock::WorkingBlock(const Problem& problem)
    : problem_(problem),
      is_sparse_(is_worth_sparse(problem.design())),
      copies_(std::make_shared<Matrix>(problem.rows(), 0)),
      positions_(static_cast<std::size_t>(problem.columns() + 1), -1) {}

void WorkingBlock::copy_column(Index column, Eigen::Ref<Vector> target) const {
  if (column == Coordinate::intercept) {
    target.setOnes();
  } else {
    target = problem_.design().gather(std::span(&column, 1));
  }
}

Matrix& WorkingBlock::own_copies() {
  if (copies_.use_count() > 1) copies_ = std::make_shared<Matrix>(*copies_);
  return *copies_;
}

Index WorkingBlock::position(Index column) {
  Index& known = positions_[static_cast<std::size_t>(column + 1)];
  if (known >= 0) return known;
  known = static_cast<Index>(columns_.size());
  columns_.push_back(column);
  if (is_sparse_) return known;
  Matrix& copies = own_copies();
  if (known == copies.cols()) {
    copies.conservativeResize(Eigen::NoChange, std::max<Index>(16, 2 * known));
  }
  copy_column(column, copies.col(known));
  return known;
}

void WorkingBlock::keep(const std::vector<Index>& columns) {
  Matrix kept(problem_.rows(),
              is_sparse_ ? 0 : std::max(copies().cols(), static_cast<Index>(columns.size())));
  for (std::size_t k = 0; k < columns.size() && !is_sparse_; ++k) {
    if (holds(columns[k])) {
      kept.col(static_cast<Index>(k)) = copies().col(known_position(columns[k]));
    } else {
      copy_column(columns[k], kept.col(static_cast<Index>(k)));
    }
  }
  for (const Index column : columns_) positions_[static_cast<std::size_t>(column + 1)] = -1;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    positions_[static_cast<std::size_t>(columns[k] + 1)] = static_cast<Index>(k);
  }
  columns_ = columns;
  copies_ = std::make_shared<Matrix>(std::move(kept));
}

Matrix WorkingBlock::multiply(const Matrix& coefficients) const {
  if (!is_sparse_) return blas::multiply(filled(), coefficients);
  Matrix rest = coefficients;
  const Index level = known_position(Coordinate::intercept);
  std::vector<Index> columns = columns_;
  if (level >= 0) {
    // The intercept is not a column of the design; column 0 with coefficient zero takes its place.
    columns[static_cast<std::size_t>(level)] = 0;
    rest.row(level).setZero();
  }
  Matrix result = problem_.design().multiply_columns(columns, rest);
  if (level >= 0) result.rowwise() += coefficients.row(level);
  return result;
}

Matrix WorkingBlock::transpose_multiply(const MatrixView& values, Index first) const {
  if (!is_sparse_) {
    return blas::transpose_multiply(filled().rightCols(static_cast<Index>(columns_.size()) - first), values);
  }
  const Index level = known_position(Coordinate::intercept);
  std::vector<Index> columns(columns_.begin() + first, columns_.end());
  if (level >= first) columns[static_cast<std::size_t>(level - first)] = 0;
  Matrix result = problem_.design().transpose_multiply_columns(columns, values);
  if (level >= first) result.row(level - first) = values.colwise().sum();
  return result;
}

Matrix WorkingBlock::gather(std::span<const Coordinate> coordinates) const {
  Matrix result(problem_.rows(), static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index at = known_position(coordinates[k].column);
    result.col(static_cast<Index>(k)) = copies().col(at);
  }
  return result;
}

Matrix WorkingBlock::curvature_products(std::span<const Coordinate> rows, std::span<const Coordinate> columns,
                                        const Matrix& curvature) const {
  const Index outputs = problem_.outputs();
  if (is_sparse_) {
    const SparseRows right(problem_.design(), columns);
    return SparseRows(problem_.design(), rows).curvature_products(right, curvature, outputs);
  }
  const Matrix right = gather(columns);
  Matrix result(static_cast<Index>(rows.size()), right.cols());
  for (Index k = 0; k < outputs; ++k) {
    // Products with the coordinates of output k on the left and of all outputs on the right.
    Matrix weighted = right;
    for (Index m = 0; m < weighted.cols(); ++m) {
      const Index block = k + outputs * columns[static_cast<std::size_t>(m)].output;
      weighted.col(m).array() *= curvature.col(block).array();
    }
    const Matrix products = transpose_multiply(weighted);
    for (std::size_t m = 0; m < rows.size(); ++m) {
      if (rows[m].output != k) continue;
      result.row(static_cast<Index>(m)) = products.row(known_position(rows[m].column));
    }
  }
  return result;
}

Matrix WorkingBlock::curvature_gram(std::span<const Coordinate> coordinates, const Matrix& curvature) const {
  const Index outputs = problem_.outputs();
  if (is_sparse_) {
    const SparseRows all(problem_.design(), coordinates);
    return all.curvature_products(all, curvature, outputs);
  }
  if (outputs == 1) {
    const Vector root = curvature.col(0).cwiseSqrt();
    Matrix weighted(problem_.rows(), static_cast<Index>(coordinates.size()));
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      weighted.col(static_cast<Index>(k)) =
          copies().col(known_position(coordinates[k].column)).cwiseProduct(root);
    }
    return blas::gram(weighted);
  }
  const Matrix all = gather(coordinates);
  const auto places = places_by_output(coordinates, outputs);
  Matrix result(all.cols(), all.cols());
  for (Index k = 0; k < outputs; ++k) {
    const auto& left = places[static_cast<std::size_t>(k)];
    const Matrix left_columns = all(Eigen::all, left);
    for (Index l = 0; l <= k; ++l) {
      const auto& right = places[static_cast<std::size_t>(l)];
      const Matrix weighted = curvature.col(k + outputs * l).asDiagonal() * all(Eigen::all, right);
      const Matrix products = blas::transpose_multiply(left_columns, weighted);
      result(left, right) = products;
      result(right, left) = products.transpose();
    }
  }
  return result;
}

Matrix WorkingBlock::rows(std::span<const Coordinate> coordinates, Index begin, Index count) const {
  const Index outputs = problem_.outputs();
  Matrix result = Matrix::Zero(count * outputs, static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto column = copies().col(known_position(coordinates[k].column)).segment(begin, count);
    result.col(static_cast<Index>(k))(Eigen::seqN(coordinates[k].output, count, outputs)) = column;
  }
  return result;
}

Matrix WorkingBlock::rows(std::span<const Coordinate> coordinates, std::span<const Index> chosen) const {
  Matrix result(static_cast<Index>(chosen.size()), static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    result.col(static_cast<Index>(k)) = copies().col(known_position(coordinates[k].column))(chosen);
  }
  return result;
}

Matrix WorkingBlock::row(std::span<const Coordinate> coordinates, Index i) const {
  if (!is_sparse_) return rows(coordinates, i, 1);
  const Design& design = problem_.design();
  Matrix result = Matrix::Zero(problem_.outputs(), static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index j = coordinates[k].column;
    double& value = result(coordinates[k].output, static_cast<Index>(k));
    value = j == Coordinate::intercept ? 1.0 : design.sparse_values().coeff(i, j);
    if (j == Coordinate::intercept) continue;
    if (design.center().size() != 0) value -= design.center()[j];
    if (design.scale().size() != 0) value /= design.scale()[j];
  }
  return result;
}

bool WorkingBlock::is_worth_single(Index coordinates) const {
  return !is_sparse_ && problem_.outputs() == 1 && gram_cost(coordinates) >= worth_single;
}

Vector WorkingBlock::single_hat(std::span<const Coordinate> coordinates, const CholeskyFactor& factor,
                                const Matrix& curvature) const {
  const Index n = problem_.rows();
  const blas::SingleRowSolver rough(factor.lower());
  Vector result(n);
  std::vector<Index> large;
  for (Index begin = 0; begin < n; begin += rows_at_once) {
    const Index count = std::min(rows_at_once, n - begin);
    blas::SingleMatrix some(count, factor.size());
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const auto column = copies().col(known_position(coordinates[k].column));
      some.col(static_cast<Index>(k)) = column.segment(begin, count).cast<float>();
    }
    result.segment(begin, count) = rough.squares(std::move(some));
    for (Index i = begin; i < begin + count; ++i) {
      if (!(result[i] * curvature(i, 0) < large_leverage)) large.push_back(i);
    }
  }
  for (std::size_t begin = 0; begin < large.size(); begin += static_cast<std::size_t>(rows_at_once)) {
    const std::size_t count = std::min(static_cast<std::size_t>(rows_at_once), large.size() - begin);
    const std::span<const Index> some(large.data() + begin, count);
    result(some) = factor.solve_rows(rows(coordinates, some)).rowwise().squaredNorm();
  }
  return result;
}

Matrix WorkingBlock::hat(std::span<const Coordinate> coordinates, const CholeskyFactor& factor) const {
  const Index n = problem_.rows();
  const Index k = problem_.outputs();
  if (coordinates.empty()) return Matrix::Zero(n, k * k);
  if (is_sparse_) {
    return SparseRows(problem_.design(), coordinates).quadratic_forms(factor.inverse(), k);
  }
  Matrix blocks(n, k * k);
  for (Index begin = 0; begin < n; begin += rows_at_once) {
    const Index count = std::min(rows_at_once, n - begin);
    const Matrix solved = factor.solve_rows(rows(coordinates, begin, count));  // A L^-T
    if (k == 1) {
      blocks.col(0).segment(begin, count) = solved.rowwise().squaredNorm();
      continue;
    }
    for (Index i = 0; i < count; ++i) {
      const auto own = solved.middleRows(i * k, k);
      blocks.row(begin + i) = (own * own.transpose()).eval().reshaped().transpose();
    }
  }
  return blocks;
}

double WorkingBlock::entries() const {
  const auto n = static_cast<double>(problem_.rows());
  const auto s = static_cast<double>(columns_.size());
  if (!is_sparse_) return n * s;
  const Design& design = problem_.design();
  // The stored entries of a mean column, plus a number for each row and column.
  return n + s * (1.0 + static_cast<double>(design.stored_entries()) / static_cast<double>(design.columns()));
}

double WorkingBlock::evaluation_cost() const {
  const double cost = is_sparse_ ? scattered_cost : vector_cost;
  return cost * 4.0 * entries() * static_cast<double>(problem_.outputs());
}

double WorkingBlock::gram_cost(Index coordinates) const {
  const auto n = static_cast<double>(problem_.rows());
  const auto s = static_cast<double>(coordinates);
  if (!is_sparse_) return n * s * s;
  const double in_a_row = entries() / n;
  return scattered_cost * n * in_a_row * in_a_row + vector_cost * s * s;
}

}  // namespace alo
