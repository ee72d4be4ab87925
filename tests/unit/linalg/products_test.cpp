// SPDX-License-Identifier: MIT
// Products that are made in parts, against those of Eigen: sizes on both sides of where a part ends.
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/blas.hpp"
#include "linalg/sparse_products.hpp"

namespace alo {
namespace {

TEST(Products, OfManyRowsAndFewColumns) {
  for (const Index rows : {1, 9000, 22'499, 22'501, 45'001}) {  // 22 500 rows of 20 x 2 are one part
    const Matrix a = Matrix::Random(rows, 20);
    for (const Index columns : {1, 2, 20}) {
      const Matrix b = Matrix::Random(20, columns);
      Matrix c = Matrix::Constant(rows, columns, std::numeric_limits<double>::quiet_NaN());
      blas::set_product(c, a, b);
      EXPECT_TRUE(c.isApprox(a * b, 1e-13)) << rows << " x " << columns;
    }
  }
}

TEST(Products, OfNothingAreZero) {
  Matrix c = Matrix::Constant(3, 2, std::numeric_limits<double>::quiet_NaN());
  blas::set_product(c, Matrix(3, 0), Matrix(0, 2));
  EXPECT_EQ(c, Matrix::Zero(3, 2));
}

TEST(Products, TransposedByBlocks) {
  for (const Index rows : {1, 15, 16, 17, 40}) {
    const Matrix a = Matrix::Random(rows, 33);
    EXPECT_EQ(blas::transposed(a), Matrix(a.transpose())) << rows;
  }
}

// One or two vectors are met one by one, more of them eight at a time. The columns are some of the matrix, in
// another order and one of them empty.
TEST(Products, OfSomeColumnsOfASparseMatrix) {
  Matrix dense = Matrix::Random(23, 9).unaryExpr([](double value) { return value > 0.2 ? value : 0.0; });
  dense.col(4).setZero();
  const SparseMatrix sparse = dense.sparseView();
  const std::vector<Index> columns{7, 0, 4, 2};
  const Matrix chosen = dense(Eigen::all, columns);
  for (const Index vectors : {0, 1, 2, 3, 8, 9, 17}) {
    const Matrix right = Matrix::Random(4, vectors);
    EXPECT_TRUE(multiply_sparse(sparse, columns, right).isApprox(chosen * right, 1e-14)) << vectors;
    const Matrix rows = Matrix::Random(23, vectors);
    EXPECT_TRUE(transpose_multiply_sparse(sparse, columns, rows).isApprox(chosen.transpose() * rows, 1e-14))
        << vectors;
  }
}

}  // namespace
}  // namespace alo
