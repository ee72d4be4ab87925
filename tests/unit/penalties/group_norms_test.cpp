// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "seed.hpp"
#include "tangent_basis.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::tangent_basis;
using testing_support::varied;

Vector random_vector(unsigned seed, Index size) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(size, [&] { return normal(generator); });
}

TEST(GroupLasso, GroupsOfOneAreALasso) {
  const GroupLasso groups({0, 1, 2, 3});
  const Lasso lasso;
  const Vector b{{1.5, -0.2, 0.0, 0.9}};
  EXPECT_EQ(groups.value(b, 0.7), lasso.value(b, 0.7));
  EXPECT_LT((groups.subgradient(b, 0.7) - lasso.subgradient(b, 0.7)).norm(), 1e-15);
  EXPECT_EQ(groups.lambda_max(b), lasso.lambda_max(b));
  EXPECT_LT((groups.prox(b, 0.7).point - lasso.prox(b, 0.7).point).norm(), 1e-15);
  const Geometry geometry = groups.geometry(b, Vector(), 0.7);
  EXPECT_EQ(geometry.coordinates, (std::vector<Index>{0, 1, 3}));
  EXPECT_EQ(geometry.mirrors.size(), 0);
  EXPECT_EQ(geometry.curvature, Vector::Zero(3));
}

// Q = t (I / r - b b' / r^3) in the coordinates themselves, by the formula.
TEST(GroupLasso, CurvatureIsThatOfTheNorm) {
  const std::vector<Index> ids{1, 0, 1, 1, 0, 2};
  const GroupLasso penalty(ids, Vector{{0.5, 1.0, 1.0}});
  Vector b = random_vector(3, 6);
  b[5] = 0.0;
  const Geometry geometry = penalty.geometry(b, Vector(), 2.0);
  EXPECT_EQ(geometry.coordinates, (std::vector<Index>{0, 1, 2, 3, 4}));
  const Matrix basis = tangent_basis(geometry, 6);
  EXPECT_LT((basis.transpose() * basis - Matrix::Identity(5, 5)).norm(), 1e-14);
  Matrix expected = Matrix::Zero(6, 6);
  const auto add = [&](const std::vector<Index>& group, double factor) {
    const Vector own = b(group);
    const double r = own.norm();
    const auto size = static_cast<Index>(group.size());
    expected(group, group) =
        factor * (Matrix::Identity(size, size) / r - own * own.transpose() / std::pow(r, 3));
  };
  add({1, 4}, 2.0 * 0.5 * std::sqrt(2.0));
  add({0, 2, 3}, 2.0 * std::sqrt(3.0));
  EXPECT_LT((basis * geometry.curvature.asDiagonal() * basis.transpose() - expected).norm(), 1e-14);
}

TEST(SparseGroupLasso, OnlyEntriesThatAreNotZeroMove) {
  const SparseGroupLasso penalty({0, 0, 0, 1, 1}, 0.3);
  const Vector b{{0.6, 0.0, -0.8, 0.0, 0.0}};
  const Geometry geometry = penalty.geometry(b, Vector(), 2.0);
  EXPECT_EQ(geometry.coordinates, (std::vector<Index>{0, 2}));
  EXPECT_EQ(geometry.curvature[0], 0.0);
  EXPECT_NEAR(geometry.curvature[1], 2.0 * 0.7 * std::sqrt(3.0), 1e-14);
  const Matrix basis = tangent_basis(geometry, 5);
  EXPECT_NEAR(std::abs(basis.col(0).dot(b)), 1.0, 1e-15);
}

// lambda_max is the root of |shrunk(z_g, a t)| = (1 - a) t sqrt(|g|), found here by bisection.
TEST(SparseGroupLasso, LambdaMaxIsTheGauge) {
  for (const double mix : {0.05, 0.5, 0.95}) {
    const SparseGroupLasso penalty({0, 0, 0, 0, 0, 0}, mix);
    for (unsigned seed = 1; seed < 20; ++seed) {
      const Vector z = random_vector(varied(seed), 6).array().cube();
      double low = 0.0;
      double high = 100.0;
      for (int step = 0; step < 200; ++step) {
        const double t = 0.5 * (low + high);
        const double beyond = (z.array().abs() - mix * t).cwiseMax(0.0).matrix().norm();
        (beyond > (1.0 - mix) * t * std::sqrt(6.0) ? low : high) = t;
      }
      EXPECT_NEAR(penalty.lambda_max(z), low, 1e-13 * low);
    }
  }
}

TEST(GroupLasso, FenchelGapHasNoCancellation) {
  const GroupLasso penalty({0, 0, 0});
  const Vector b = 1e6 * random_vector(5, 3);
  const Vector z = penalty.subgradient(b, 0.7) * (1.0 - 1e-12);
  const double expected = 1e-12 * 0.7 * std::sqrt(3.0) * b.norm();
  EXPECT_NEAR(penalty.fenchel_gap(b, z, 0.7), expected, 1e-3 * expected);
}

TEST(GroupLasso, RefusesGroupsThatDoNotFit) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT([] { GroupLasso({0, 2, 2}); }, ThrowsMessage<InvalidData>(HasSubstr("group 1")));
  EXPECT_THAT([] { GroupLasso({0, -1}); }, ThrowsMessage<InvalidData>(HasSubstr("coefficient 2")));
  EXPECT_THAT([] { GroupLasso({0, 1}, Vector{{1.0}}); }, ThrowsMessage<InvalidData>(HasSubstr("2 groups")));
  EXPECT_THAT(
      [] {
        GroupLasso({0, 1}, Vector{{1.0, -1.0}});
      },
      ThrowsMessage<InvalidData>(HasSubstr("group 1 is -1")));
  EXPECT_THAT(
      [] {
        GroupLasso({0, 1}).check_columns(3);
      },
      ThrowsMessage<InvalidData>(HasSubstr("3 columns")));
  EXPECT_THAT([] { SparseGroupLasso({0, 1}, 1.5); }, ThrowsMessage<InvalidArgument>(HasSubstr("1.5")));
  EXPECT_EQ(GroupLasso({0, 1}, Vector{{1.0, infinity}}).prox(Vector{{3.0, 3.0}}, 1.0).point[1], 0.0);
}

}  // namespace
}  // namespace alo
