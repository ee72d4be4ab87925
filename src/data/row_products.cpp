// SPDX-License-Identifier: MIT
#include "data/row_products.hpp"

#include <algorithm>

#include "linalg/select.hpp"

namespace alo {

namespace {

// Numbers of a block of rows (half a MB), and bounds on the number of its rows: products with fewer rows have
// more overhead than arithmetic, and with more rows their results leave the cache. Only the speed depends on
// these.
constexpr Index block_entries = 65'536;
constexpr Index fewest_rows = 128;
constexpr Index most_rows = 2048;

auto block_of(const Design& design, const RowBlock& rows) {
  return design.dense_values().middleRows(rows.first, rows.count);
}

Matrix copy_columns(const Design& design, const RowBlock& rows, std::span<const Index> columns) {
  Matrix copy(rows.count, static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    copy.col(static_cast<Index>(k)) = design.dense_values().col(columns[k]).segment(rows.first, rows.count);
  }
  return copy;
}

}  // namespace

Index rows_of_block(const Design& design) {
  if (design.is_sparse()) return std::max<Index>(1, design.rows());
  return std::clamp(block_entries / std::max<Index>(1, design.columns()), fewest_rows, most_rows);
}

Matrix multiply_rows(const Design& design, const RowBlock& rows, std::span<const Index> columns,
                     const MatrixView& coefficients) {
  if (design.is_sparse()) return design.multiply_columns(columns, coefficients);
  Matrix scaled = coefficients;
  if (design.scale().size() != 0) scaled.array().colwise() /= select(design.scale(), columns).array();
  Matrix result;
  if (2 * static_cast<Index>(columns.size()) < design.columns()) {
    result = blas::multiply(copy_columns(design, rows, columns), scaled);
  } else {  // a product with all columns costs less than copies of those in S
    Matrix all = Matrix::Zero(design.columns(), scaled.cols());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      all.row(columns[k]) += scaled.row(static_cast<Index>(k));
    }
    result = blas::multiply(block_of(design, rows), all);
  }
  if (design.center().size() != 0) {
    result.rowwise() -= (select(design.center(), columns).transpose() * scaled).eval();
  }
  return result;
}

void add_transposed_rows(const Design& design, const RowBlock& rows, const MatrixView& values, Matrix& sums) {
  if (design.is_sparse()) {
    sums += design.with_view({}, {}).transpose_multiply_columns(values);
  } else {
    blas::add_transposed_product(sums, 1.0, block_of(design, rows), values);
  }
}

Matrix gather_rows(const Design& design, const RowBlock& rows, std::span<const Index> columns) {
  Matrix block = copy_columns(design, rows, columns);
  if (design.center().size() != 0) block.rowwise() -= select(design.center(), columns).transpose();
  if (design.scale().size() != 0) {
    block.array().rowwise() /= select(design.scale(), columns).transpose().array();
  }
  return block;
}

}  // namespace alo
