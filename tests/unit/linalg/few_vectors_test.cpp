// SPDX-License-Identifier: MIT
// Columns that lie anywhere, in any number, against the products of Eigen.
#include "linalg/few_vectors.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace alo {
namespace {

class FewVectors : public testing::TestWithParam<Index> {
 protected:
  FewVectors() {
    std::srand(3);
    values = Matrix::Random(37, 20);
    for (Index k = 0; k < GetParam(); ++k) chosen.push_back((7 * k) % 20);
    for (const Index j : chosen) columns.push_back(values.col(j).data());
  }
  Matrix values;
  std::vector<Index> chosen;
  std::vector<const double*> columns;
};

TEST_P(FewVectors, Dots) {
  for (const Index count : {1, 2, 3}) {
    const Matrix vectors = Matrix::Random(37, count);
    Matrix result(GetParam(), count);
    dot_columns(columns, vectors, result);
    const Matrix expected = values(Eigen::all, chosen).transpose() * vectors;
    EXPECT_TRUE(result.isApprox(expected, 1e-14)) << count;
  }
}

TEST_P(FewVectors, Sums) {
  for (const Index count : {1, 2, 3}) {
    const Matrix coefficients = Matrix::Random(GetParam(), count);
    const Matrix before = Matrix::Random(37, count);
    Matrix sums = before;
    add_columns(columns, coefficients, sums);
    const Matrix expected = before + values(Eigen::all, chosen) * coefficients;
    EXPECT_TRUE(sums.isApprox(expected, 1e-14)) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, FewVectors, testing::Values(1, 3, 4, 5, 11, 16));

}  // namespace
}  // namespace alo
