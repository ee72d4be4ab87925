// SPDX-License-Identifier: MIT
#include "linalg/cholesky_factor.hpp"

#include <random>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "seed.hpp"

namespace alo {
namespace {

using testing_support::varied;

// A random sequence of appends and removals against a factorisation from scratch. The
// condition of M is about 1e3, so 1e-11 is a thousand times rounding.
TEST(CholeskyFactor, FollowsAppendsAndRemovals) {
  std::mt19937 generator(varied(3));
  std::normal_distribution<double> normal;
  const Matrix columns = Matrix::NullaryExpr(60, 40, [&] { return normal(generator); });
  const Matrix gram = columns.transpose() * columns;
  CholeskyFactor factor;
  std::vector<Index> active;
  std::vector<Index> rest;
  for (Index j = 0; j < 40; ++j) rest.push_back(j);
  for (int step = 0; step < 300; ++step) {
    const bool grow = active.empty() || (!rest.empty() && generator() % 5 < 3);
    if (grow) {
      const std::size_t at = generator() % rest.size();
      const Index j = rest[at];
      ASSERT_TRUE(factor.append(gram(active, j), gram(j, j), 1e-11));
      active.push_back(j);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      const std::size_t at = generator() % active.size();
      factor.remove(static_cast<Index>(at));
      rest.push_back(active[at]);
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(at));
    }
    ASSERT_EQ(factor.size(), static_cast<Index>(active.size()));
    if (active.empty()) continue;
    const Vector b = Vector::LinSpaced(factor.size(), 1.0, 2.0);
    const Vector expected = Matrix(gram(active, active)).llt().solve(b);
    ASSERT_LT((factor.solve(b) - expected).norm(), 1e-11 * (1.0 + expected.norm()));
  }
}

TEST(CholeskyFactor, RefusesADependentColumn) {
  CholeskyFactor factor;
  ASSERT_TRUE(factor.append(Vector(), 2.0, 1e-11));
  const Vector cross = Vector::Constant(1, 2.0);
  EXPECT_FALSE(factor.append(cross, 2.0, 1e-11));
  EXPECT_EQ(factor.size(), 1);
}

TEST(CholeskyFactor, RefusesAnIndefiniteMatrix) {
  CholeskyFactor factor;
  Matrix m(2, 2);
  m << 1.0, 2.0, 2.0, 1.0;
  EXPECT_FALSE(factor.factor(m));
}

}  // namespace
}  // namespace alo
