// SPDX-License-Identifier: MIT
#include "solvers/quadratic/lasso_walk.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace alo {
namespace {

Vector numbers(std::initializer_list<double> values) {
  Vector vector(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), vector.begin());
  return vector;
}

// Orthonormal columns with gradients 3, -2 and 0.5: the lasso is soft-thresholding, so knots lie at 3, 2
// and 0.5, and between them coefficients grow by one per unit of lambda. Columns of the tableau: e_k.
TEST(LassoWalk, SoftThresholding) {
  LassoWalk walk;
  walk.join(numbers({3.0, -2.0, 0.5}), Vector::Zero(3), 3.0);
  const std::vector<Index> order = {0, 1, 2};
  const Vector distances = numbers({0.0, 1.0, 1.5});
  for (const Index k : order) {
    const LassoWalk::Knot knot = walk.next();
    EXPECT_EQ(knot.at, k);
    EXPECT_NEAR(knot.distance, distances[k], 1e-15);
    EXPECT_EQ(knot.sign, k == 1 ? -1.0 : 1.0);
    walk.advance(knot.distance);
    walk.pivot(knot, Vector::Unit(3, k));
  }
  walk.advance(0.25);
  EXPECT_LT((walk.coefficients() - numbers({2.75, -1.75, 0.25})).norm(), 1e-15);

  // Back up: coefficients reach zero where they entered, the last one first.
  walk.close_all(-1.0);
  walk.set_rates(numbers({-1.0, 1.0, -1.0}));
  LassoWalk::Knot knot = walk.next();
  EXPECT_EQ(knot.at, 2);
  EXPECT_FALSE(knot.enters());
  EXPECT_DOUBLE_EQ(knot.distance, 0.25);
  walk.advance(knot.distance);
  walk.pivot(knot, -Vector::Unit(3, 2));
  EXPECT_FALSE(walk.is_active(2));
  EXPECT_DOUBLE_EQ(walk.state()[2], 0.5);  // a gradient again, at the threshold
  knot = walk.next();
  EXPECT_EQ(knot.at, 1);
  EXPECT_DOUBLE_EQ(knot.distance, 1.5);
}

// Standing at a wall is no knot unless the walk moves towards it, and a barred coordinate has no walls.
TEST(LassoWalk, MeetsOnlyWallsThatItApproaches) {
  LassoWalk walk;
  walk.join(numbers({1.0, -0.2}), numbers({-0.5, 0.1}), 1.0);
  walk.close_all(0.0);
  LassoWalk::Knot knot = walk.next();
  EXPECT_EQ(knot.at, 0);
  EXPECT_EQ(knot.sign, -1.0);
  EXPECT_DOUBLE_EQ(knot.distance, 4.0);
  walk.set_bar(0, LassoWalk::Bar::waits);
  knot = walk.next();
  EXPECT_EQ(knot.at, 1);
  EXPECT_DOUBLE_EQ(knot.distance, 12.0);
  walk.set_rates(Vector::Zero(2));
  EXPECT_TRUE(std::isinf(walk.next().distance));
  EXPECT_EQ(walk.next().at, -1);
  EXPECT_DOUBLE_EQ(walk.largest_barred(), 1.0);
}

}  // namespace
}  // namespace alo
