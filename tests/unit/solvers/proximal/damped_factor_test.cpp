// SPDX-License-Identifier: MIT
#include "solvers/proximal/damped_factor.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace alo {
namespace {

using Outcome = DampedFactor::Outcome;

Matrix square(const DampedFactor& factor) {
  return factor.lower * factor.lower.transpose();
}

TEST(DampedFactor, ADefiniteMatrixIsFactoredAsItIs) {
  Matrix matrix(2, 2);
  matrix << 4.0, 2.0, 2.0, 3.0;
  const DampedFactor factor = damped_factor(matrix, 1.0);
  EXPECT_EQ(factor.outcome, Outcome::regular);
  EXPECT_LT((square(factor) - matrix).norm(), 1e-14);
  EXPECT_NEAR(factor.least_share, 2.0 / 3.0, 1e-14);
}

TEST(DampedFactor, ASingularMatrixIsDamped) {
  const Matrix matrix = Matrix::Ones(3, 3);
  const DampedFactor factor = damped_factor(matrix, 1.0);
  EXPECT_EQ(factor.outcome, Outcome::damped);
  EXPECT_LT((square(factor) - matrix).norm(), 1e-7);
}

// Which a sum of squares never is.
TEST(DampedFactor, AnIndefiniteMatrixIsDampedByMore) {
  Matrix matrix(2, 2);
  matrix << 1.0, 5.0, 5.0, 1.0;
  const DampedFactor factor = damped_factor(matrix, 1.0);
  EXPECT_EQ(factor.outcome, Outcome::damped);
  EXPECT_GT(square(factor)(0, 0), 5.0);
}

TEST(DampedFactor, NothingIsRegular) {
  EXPECT_EQ(damped_factor(Matrix(0, 0), 1.0).outcome, Outcome::regular);
}

TEST(DampedFactor, EntriesThatAreNotFiniteEndTheRetries) {
  for (const double entry :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const DampedFactor factor = damped_factor(Matrix::Constant(3, 3, entry), 1.0);
    EXPECT_EQ(factor.outcome, Outcome::not_finite);
    EXPECT_EQ(factor.lower.size(), 0);
  }
}

}  // namespace
}  // namespace alo
