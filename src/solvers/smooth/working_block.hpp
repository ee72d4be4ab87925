// SPDX-License-Identifier: MIT
#pragma once

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

// The columns that a solver works on. A coordinate (column, output) is found in them by its position, which
// holds for all outputs. Copies stand side by side, so that products with them run at the speed of memory;
// the columns of a sparse design are used where they are.
class WorkingBlock {
 public:
  explicit WorkingBlock(const Problem& problem);

  // Position of a column, copied if it was not yet here.
  Index position(Index column);
  // Of a column that is here.
  Index known_position(Index column) const { return positions_[static_cast<std::size_t>(column + 1)]; }
  bool holds(Index column) const { return known_position(column) >= 0; }
  std::span<const Index> columns() const { return columns_; }
  // Only these columns stay, in this order.
  void keep(const std::vector<Index>& columns);

  // All columns that are here: X B; and X'V, of the columns from position `first` on.
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
  // The same for one output and copies of columns, in single precision where leverages C_i H_ii are below a
  // half: 1 - C_i H_ii, by which predictions are divided, has its digits then.
  Vector single_hat(std::span<const Coordinate> coordinates, const CholeskyFactor& factor,
                    const Matrix& curvature) const;
  bool is_worth_single(Index coordinates) const;

  // Operations of multiply() and transpose_multiply() together, and of the products of all pairs of so many
  // coordinates, both counted as those of a matrix product.
  double evaluation_cost() const;
  double gram_cost(Index coordinates) const;

 private:
  auto filled() const { return block_.leftCols(static_cast<Index>(columns_.size())); }
  Matrix gather(std::span<const Coordinate> coordinates) const;
  void copy_column(Index column, Eigen::Ref<Vector> target) const;
  // Some rows, one line per row and output; and any rows of one output.
  Matrix rows(std::span<const Coordinate> coordinates, Index begin, Index count) const;
  Matrix rows(std::span<const Coordinate> coordinates, std::span<const Index> chosen) const;
  // Stored entries of the columns that are here.
  double entries() const;

  const Problem& problem_;
  bool is_sparse_;
  Matrix block_;                  // copies with spare columns at the end; none of a sparse design
  std::vector<Index> columns_;    // of the design, by position
  std::vector<Index> positions_;  // by column + 1; -1: not here
};

}  // namespace alo
