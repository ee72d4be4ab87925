// SPDX-License-Identifier: MIT
#include "data/row_products.hpp"

#include <gtest/gtest.h>

#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

// Products of blocks are parts of the products with all rows, for few columns (which are copied) and for many
// (which are not). The numbers are of size one, so that 1e-12 is far above rounding.
TEST(RowProducts, AreThoseOfTheRows) {
  const Matrix values = normal_matrix(700, 12, 3);
  const Design design = Design(values).with_view(values.colwise().mean(), Vector::LinSpaced(12, 0.5, 2.0));
  for (const std::vector<Index>& columns :
       {std::vector<Index>{7, 2}, {11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {4, 4, 5, 6, 7, 8, 9}}) {
    const Matrix coefficients = normal_matrix(static_cast<Index>(columns.size()), 3, 5);
    const Matrix whole = design.multiply_columns(columns, coefficients);
    const Matrix copies = design.gather(columns);
    for (const RowBlock rows : {RowBlock{0, 700}, RowBlock{100, 128}, RowBlock{699, 1}}) {
      const Matrix part = multiply_rows(design, rows, columns, coefficients);
      EXPECT_LT((part - whole.middleRows(rows.first, rows.count)).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_LT((gather_rows(design, rows, columns) - copies.middleRows(rows.first, rows.count))
                    .cwiseAbs()
                    .maxCoeff(),
                1e-12);
    }
  }
}

// Sums over blocks are products with all rows of the columns as they are stored.
TEST(RowProducts, AddUpToTransposedProducts) {
  const Matrix values = normal_matrix(700, 12, 3);
  const Matrix right = normal_matrix(700, 4, 9);
  for (const Design& design : {Design(values), Design(SparseMatrix(values.sparseView()))}) {
    const Design view = design.with_view(values.colwise().mean(), {});
    const Index at_once = design.is_sparse() ? 700 : 128;
    const Matrix sum =
        pass_over_rows(700, at_once, Matrix(Matrix::Zero(12, 4)), [&](const RowBlock& rows, Matrix& sums) {
          add_transposed_rows(view, rows, right.middleRows(rows.first, rows.count), sums);
        });
    EXPECT_LT((sum - values.transpose() * right).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(RowProducts, RowsOfASparseDesignAreOneBlock) {
  EXPECT_EQ(rows_of_block(Design(SparseMatrix(5000, 3))), 5000);
  EXPECT_LT(rows_of_block(Design(Matrix::Zero(5000, 100))), 5000);
}

}  // namespace
}  // namespace alo
