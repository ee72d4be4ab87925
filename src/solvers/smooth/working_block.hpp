// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/problem.hpp"
#include "linalg/cholesky_factor.hpp"

namespace alo {

// A coefficient of one output: of a column of the design, or the intercept.
struct Coordinate {
  static constexpr Index intercept = -1;
  Index column;
  Index output;
};

// The columns of a working set. A coordinate (column, output) is found by the position of its column, which
// is the same for all outputs. Copies of the columns stand side by side, so that products with them run at
// the speed of memory; the columns of a sparse design are used in place.
class WorkingBlock {
 public:
  explicit WorkingBlock(const Problem& problem);

  // The position of a column, which is copied if it is not yet in the block.
  Index position(Index column);
  // The position of a column of the block; -1 for others.
  Index known_position(Index column) const { return positions_[static_cast<std::size_t>(column + 1)]; }
  bool holds(Index column) const { return known_position(column) >= 0; }
  std::span<const Index> columns() const { return columns_; }
  // Removes all other columns; these stay in the given order.
  void keep(const std::vector<Index>& columns);

  // X B with all columns of the block, and X'V with those from position `first` on.
  Matrix multiply(const Matrix& coefficients) const;
  Matrix transpose_multiply(const MatrixView& values, Index first = 0) const;
  // sum_i x_ia C_i(k, l) x_ib for coordinates a (of output k) and b (of output l), C_i the blocks of
  // `curvature` (n x K K).
  Matrix curvature_products(std::span<const Coordinate> rows, std::span<const Coordinate> columns,
                            const Matrix& curvature) const;
  // The same for all pairs of one list.
  Matrix curvature_gram(std::span<const Coordinate> coordinates, const Matrix& curvature) const;
  // The columns of the coordinates for a row, one line per output: zero in other outputs' lines.
  Matrix row(std::span<const Coordinate> coordinates, Index i) const;
  // H_ii = x_i'M^-1 x_i from the factor of a matrix M of the coordinates, laid out like a curvature.
  Matrix hat(std::span<const Coordinate> coordinates, const CholeskyFactor& factor) const;
  // The same for one output and dense columns, in single precision where the leverage C_i H_ii is below a
  // half: there 1 - C_i H_ii, by which the formula divides, loses no digits.
  Vector single_hat(std::span<const Coordinate> coordinates, const CholeskyFactor& factor,
                    const Matrix& curvature) const;
  bool is_worth_single(Index coordinates) const;

  // The cost of multiply() and transpose_multiply() together, and of the Gram matrix of a number of
  // coordinates, both in operations of a matrix product.
  double evaluation_cost() const;
  double gram_cost(Index coordinates) const;

 private:
  auto filled() const { return copies().leftCols(static_cast<Index>(columns_.size())); }
  const Matrix& copies() const { return *copies_; }
  // To be changed: no longer shared with other blocks.
  Matrix& own_copies();
  Matrix gather(std::span<const Coordinate> coordinates) const;
  void copy_column(Index column, Eigen::Ref<Vector> target) const;
  // Consecutive rows, one line per row and output; and chosen rows for one output.
  Matrix rows(std::span<const Coordinate> coordinates, Index begin, Index count) const;
  Matrix rows(std::span<const Coordinate> coordinates, std::span<const Index> chosen) const;
  // Stored entries of the columns that are here.
  double entries() const;

  const Problem& problem_;
  bool is_sparse_;
  // Copies of the columns, with spare ones at the end; none of a sparse design. Copies of this object (a
  // solver for each row that is left out) share them until one of them needs another column.
  std::shared_ptr<Matrix> copies_;
  std::vector<Index> columns_;    // of the design, by position
  std::vector<Index> positions_;  // by column + 1; -1: not here
};

}  // namespace alo
