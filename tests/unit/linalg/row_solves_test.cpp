// SPDX-License-Identifier: MIT
// Solves with many rows and a triangular factor, by panels: sizes around the width of a panel.
#include <cmath>

#include <gtest/gtest.h>

#include "linalg/blas.hpp"
#include "linalg/single_precision.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

// The factor of A'A + e I for A with nearly dependent columns: condition numbers up to 5e7.
Matrix lower_factor(Index size, unsigned seed) {
  Matrix a = normal_matrix(size + 20, size, seed);
  for (Index j = 1; j < size; ++j) a.col(j) = a.col(j - 1) + 0.1 * a.col(j);
  Matrix gram = blas::gram(a);
  gram.diagonal().array() += 1e-3;
  return *blas::cholesky(gram);
}

class RowSolves : public testing::TestWithParam<Index> {};

TEST_P(RowSolves, SolveInPlace) {
  const Matrix lower = lower_factor(GetParam(), 1);
  const Matrix solution = normal_matrix(37, GetParam(), 2);
  Matrix rows = solution * lower.transpose();
  blas::solve_right_transposed_in_place(lower, rows);
  // Rounding times the condition of L, the root of that of its matrix.
  EXPECT_LE((rows - solution).cwiseAbs().maxCoeff(), 1e-11);
}

TEST_P(RowSolves, SquaresInSinglePrecision) {
  const Matrix lower = lower_factor(GetParam(), 3);
  const Matrix rows = normal_matrix(41, GetParam(), 4);
  const Vector expected = blas::solve_lower(lower, rows.transpose()).colwise().squaredNorm().transpose();
  const Vector squares = blas::SingleRowSolver(lower).squares(rows.cast<float>());
  EXPECT_LE(((squares - expected).array() / expected.array()).abs().maxCoeff(), 1e-5);
}

TEST(RowSolves, OutOfTheRangeOfSinglePrecision) {
  const Matrix lower = 1e-30 * lower_factor(20, 1);
  const Matrix rows = 1e-30 * normal_matrix(3, 20, 2);
  EXPECT_TRUE(blas::SingleRowSolver(lower).squares(rows.cast<float>()).array().isNaN().all());
}

TEST(RowSolves, OfNoRows) {
  const Matrix lower = lower_factor(5, 1);
  Matrix none(0, 5);
  blas::solve_right_transposed_in_place(lower, none);
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(blas::SingleRowSolver(lower).squares(none.cast<float>()).size(), 0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RowSolves, testing::Values(1, 16, 17, 47, 48, 49, 127, 128, 129, 300, 520));

}  // namespace
}  // namespace alo
