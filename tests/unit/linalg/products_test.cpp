// SPDX-License-Identifier: MIT
// Products that are made in parts, against those of Eigen: sizes on both sides of where a part ends.
#include <limits>

#include <gtest/gtest.h>

#include "linalg/blas.hpp"

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

}  // namespace
}  // namespace alo
