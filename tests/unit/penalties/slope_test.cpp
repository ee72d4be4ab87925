// SPDX-License-Identifier: MIT
#include "alo/penalties/slope.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/penalties/lasso.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Slope, ProxPoolsToExactTies) {
  const Slope penalty(Vector{{3.0, 2.0, 1.0, 0.0}});
  // 5 - 3, 4.5 - 2, 1.5 - 1, 0.2 - 0: the first two are out of order.
  const Vector point = penalty.prox(Vector{{-4.5, 0.2, 5.0, 1.5}}, 1.0).point;
  EXPECT_EQ(point, (Vector{{-2.25, 0.2, 2.25, 0.5}}));
  const Geometry geometry = penalty.geometry(point, Vector(), 1.0);
  EXPECT_EQ(geometry.coordinates, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(geometry.dimension(), 3);
  EXPECT_EQ(along(geometry, Vector{{1.0, 0.0, 0.0}}, 4), (Vector{{-1.0, 0.0, 1.0, 0.0}}));
  EXPECT_EQ(penalty.subgradient(point, 2.0), (Vector{{-5.0, 0.0, 5.0, 2.0}}));
}

// The scale of a column divides a coefficient and multiplies it again.
TEST(Slope, ClustersOutliveAChangeOfScale) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(0.1, 10.0);
  const Slope penalty(linear_sequence(200, 0.5));
  const Vector b = Vector::Constant(200, uniform(generator));
  const Vector scale = Vector::NullaryExpr(200, [&] { return uniform(generator); });
  const Vector returned = scale.cwiseProduct(b.cwiseQuotient(scale));
  EXPECT_NE(returned, b);
  EXPECT_EQ(penalty.geometry(returned, Vector(), 1.0).dimension(), 1);
}

TEST(Slope, TiesUnderEqualEntriesAreFree) {
  const Slope penalty(Vector{{2.0, 1.0, 1.0, 1.0}});
  EXPECT_EQ(penalty.geometry(Vector{{3.0, 1.0, -1.0, 0.0}}, Vector(), 1.0).dimension(), 3);
  EXPECT_EQ(penalty.geometry(Vector{{3.0, 1.0, -3.0, 0.0}}, Vector(), 1.0).dimension(), 2);
}

TEST(Slope, ConstantSequenceIsALasso) {
  const Slope penalty(Vector::Constant(4, 1.5));
  const Lasso lasso(Vector::Constant(4, 1.5));
  const Vector b{{1.5, -0.2, 0.0, 1.9}};
  EXPECT_NEAR(penalty.value(b, 0.7), lasso.value(b, 0.7), 1e-15);
  EXPECT_EQ(penalty.prox(b, 0.7).point, lasso.prox(b, 0.7).point);
  EXPECT_NEAR(penalty.lambda_max(b), lasso.lambda_max(b), 1e-15);
  EXPECT_EQ(penalty.separable(4)->absolute, Vector::Constant(4, 1.5));
}

TEST(Slope, RefusesASequenceThatGrows) {
  EXPECT_THAT([] { Slope(Vector{{2.0, 1.0, 1.5}}); }, ThrowsMessage<InvalidData>(HasSubstr("entry 3")));
  EXPECT_THAT([] { Slope(Vector{{2.0, -1.0}}); }, ThrowsMessage<InvalidData>(HasSubstr("entry 2")));
  EXPECT_THAT([] { Slope(Vector{{0.0, 0.0}}); }, ThrowsMessage<InvalidData>(HasSubstr("zero")));
  EXPECT_THAT(
      [] {
        Slope(Vector{{2.0, 1.0}}).check_columns(3);
      },
      ThrowsMessage<InvalidData>(HasSubstr("3 columns")));
}

TEST(SlopeSequence, BenjaminiHochberg) {
  // Quantiles of the standard normal distribution at 0.975 and 0.95 (tables to 16 digits).
  const Vector q = benjamini_hochberg_sequence(2, 0.1);
  EXPECT_NEAR(q[0], 1.959963984540054, 1e-14);
  EXPECT_NEAR(q[1], 1.644853626951472, 1e-14);
  // Far in the tail, by its own probability.
  EXPECT_NEAR(0.5 * std::erfc(benjamini_hochberg_sequence(1, 1e-200)[0] / std::sqrt(2.0)) / 5e-201, 1.0,
              1e-10);
  EXPECT_THAT([] { benjamini_hochberg_sequence(3, 1.0); }, ThrowsMessage<InvalidArgument>(HasSubstr("1")));
}

TEST(SlopeSequence, OscarAndLinear) {
  EXPECT_EQ(oscar_sequence(3, 0.5), (Vector{{2.0, 1.5, 1.0}}));
  EXPECT_EQ(linear_sequence(3, 0.5), (Vector{{1.0, 0.75, 0.5}}));
  EXPECT_EQ(linear_sequence(1, 0.5), (Vector{{1.0}}));
  EXPECT_THROW(oscar_sequence(3, -1.0), InvalidArgument);
  EXPECT_THROW(linear_sequence(3, 2.0), InvalidArgument);
}

}  // namespace
}  // namespace alo
