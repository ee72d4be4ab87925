// SPDX-License-Identifier: MIT
#include "linalg/decompositions.hpp"

#include <gtest/gtest.h>

#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

// The four equations of Moore and Penrose, and a complement that completes the columns to all of space.
TEST(CompleteOrthogonal, OfAnyRankIsThePseudoInverse) {
  for (const Index rank : {1, 3, 4}) {
    const Matrix a = normal_matrix(6, rank, 1) * normal_matrix(rank, 4, 2);
    const dense::CompleteOrthogonal factor(a);
    EXPECT_EQ(factor.rank(), rank);
    const Matrix inverse = factor.pseudo_inverse();
    EXPECT_LT((a * inverse * a - a).norm(), 1e-11 * a.norm());
    EXPECT_LT((inverse * a * inverse - inverse).norm(), 1e-11 * inverse.norm());
    EXPECT_LT((a * inverse - (a * inverse).transpose()).norm(), 1e-11);
    EXPECT_LT((inverse * a - (inverse * a).transpose()).norm(), 1e-11);
    const Matrix right = normal_matrix(6, 2, 3);
    EXPECT_LT((factor.solve(right) - inverse * right).norm(), 1e-11 * inverse.norm() * right.norm());
    const Matrix complement = factor.complement();
    EXPECT_EQ(complement.cols(), 6 - rank);
    EXPECT_LT((complement.transpose() * a).norm(), 1e-12 * a.norm());
  }
}

// A penalty may leave nothing unpenalised, and a model may have no column.
TEST(CompleteOrthogonal, OfNothingIsNothing) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{5, 0}, {0, 3}, {0, 0}}) {
    const Matrix empty(rows, columns);
    const dense::CompleteOrthogonal factor(empty);
    EXPECT_EQ(factor.rank(), 0);
    EXPECT_EQ(factor.solve(Matrix::Ones(rows, 2)), Matrix::Zero(columns, 2));
    EXPECT_EQ(factor.pseudo_inverse(), Matrix::Zero(columns, rows));
    EXPECT_EQ(factor.complement(), Matrix::Identity(rows, rows));
    EXPECT_EQ(dense::CompleteOrthogonal(empty, 1e-9).rank(), 0);
  }
}

// Errors are a few times the machine's precision times the size of a 6 x 4 matrix.
TEST(ThinFactors, MultiplyToTheMatrix) {
  const Matrix a = normal_matrix(6, 4, 1);
  const dense::ThinFactors factors = dense::thin_factors(a);
  EXPECT_LT((factors.q.transpose() * factors.q - Matrix::Identity(4, 4)).norm(), 1e-14);
  EXPECT_EQ(Matrix(factors.r.triangularView<Eigen::StrictlyLower>()), Matrix::Zero(4, 4));
  EXPECT_LT((factors.q * factors.r - a).norm(), 1e-14 * a.norm());
}

TEST(PivotedFactors, OfAnyRankMultiplyToTheMatrix) {
  for (const Index rank : {1, 3, 4}) {
    const Matrix a = normal_matrix(6, rank, 1) * normal_matrix(rank, 4, 2);
    const dense::PivotedFactors factors = dense::pivoted_factors(a, 1e-11);
    ASSERT_EQ(factors.rank, rank);
    EXPECT_LT((factors.q.transpose() * factors.q - Matrix::Identity(6, 6)).norm(), 1e-14);
    const std::vector<Index> first(factors.order.begin(), factors.order.begin() + rank);
    EXPECT_LT((factors.q.leftCols(rank) * factors.triangle - a(Eigen::all, first)).norm(), 1e-14 * a.norm());
    // The other columns depend on these.
    EXPECT_LT((factors.q.rightCols(6 - rank).transpose() * a).norm(), 1e-13 * a.norm());
  }
}

}  // namespace
}  // namespace alo
