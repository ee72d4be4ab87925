// SPDX-License-Identifier: MIT
#include "solvers/working_block.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace alo {

namespace {

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
      block_(problem.rows(), 0),
      positions_(static_cast<std::size_t>(problem.columns() + 1), -1) {}

void WorkingBlock::copy_column(Index column, Eigen::Ref<Vector> target) const {
  if (column == Coordinate::intercept) {
    target.setOnes();
  } else {
    target = problem_.design().gather(std::span(&column, 1));
  }
}

Index WorkingBlock::position(Index column) {
  Index& known = positions_[static_cast<std::size_t>(column + 1)];
  if (known >= 0) return known;
  known = static_cast<Index>(columns_.size());
  if (known == block_.cols()) {
    block_.conservativeResize(Eigen::NoChange, std::max<Index>(16, 2 * known));
  }
  copy_column(column, block_.col(known));
  columns_.push_back(column);
  return known;
}

void WorkingBlock::keep(const std::vector<Index>& columns) {
  Matrix kept(block_.rows(), std::max<Index>(block_.cols(), static_cast<Index>(columns.size())));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (holds(columns[k])) {
      kept.col(static_cast<Index>(k)) = block_.col(known_position(columns[k]));
    } else {
      copy_column(columns[k], kept.col(static_cast<Index>(k)));
    }
  }
  for (const Index column : columns_) positions_[static_cast<std::size_t>(column + 1)] = -1;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    positions_[static_cast<std::size_t>(columns[k] + 1)] = static_cast<Index>(k);
  }
  columns_ = columns;
  block_ = std::move(kept);
}

Matrix WorkingBlock::multiply(const Matrix& coefficients) const {
  return blas::multiply(filled(), coefficients);
}

Matrix WorkingBlock::transpose_multiply(const MatrixView& values, Index first) const {
  return blas::transpose_multiply(filled().rightCols(static_cast<Index>(columns_.size()) - first), values);
}

Matrix WorkingBlock::gather(std::span<const Coordinate> coordinates) const {
  Matrix result(block_.rows(), static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const Index at = known_position(coordinates[k].column);
    result.col(static_cast<Index>(k)) = block_.col(at);
  }
  return result;
}

Matrix WorkingBlock::curvature_products(std::span<const Coordinate> rows, std::span<const Coordinate> columns,
                                        const Matrix& curvature) const {
  const Index outputs = problem_.outputs();
  const Matrix right = gather(columns);
  Matrix result(static_cast<Index>(rows.size()), right.cols());
  for (Index k = 0; k < outputs; ++k) {
    // Of output k on the left, whatever the output on the right.
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
  if (outputs == 1) {
    const Vector root = curvature.col(0).cwiseSqrt();
    Matrix weighted(block_.rows(), static_cast<Index>(coordinates.size()));
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      weighted.col(static_cast<Index>(k)) =
          block_.col(known_position(coordinates[k].column)).cwiseProduct(root);
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
    const auto column = block_.col(known_position(coordinates[k].column)).segment(begin, count);
    result.col(static_cast<Index>(k))(Eigen::seqN(coordinates[k].output, count, outputs)) = column;
  }
  return result;
}

}  // namespace alo
