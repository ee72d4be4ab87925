// SPDX-License-Identifier: MIT
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/losses/absolute.hpp"
#include "alo/losses/epsilon_insensitive.hpp"
#include "alo/losses/huber.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/losses/pseudo_huber.hpp"
#include "alo/losses/quantile.hpp"
#include "alo/problem.hpp"
#include "alo/registry.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(DefaultDelta, IsTheScaledMedianDeviation) {
  // Median 3, deviations 2, 1, 0, 1, 97 with median 1.
  const Vector response{{1.0, 2.0, 3.0, 4.0, 100.0}};
  EXPECT_DOUBLE_EQ(default_delta(response, Vector::Ones(5)), 1.345 * 1.4826);
  // Median 2.5 between 2 and 3, deviations 1.5, 0.5, 0.5, 1.5.
  EXPECT_DOUBLE_EQ(default_delta(response.head(4), Vector::Ones(4)), 1.345 * 1.4826);
}

TEST(DefaultDelta, WeightsAreRepeatedRows) {
  const Vector response{{4.0, -1.0, 2.5, 7.0, 0.0}};
  const Vector weights{{2.0, 1.0, 0.0, 3.0, 2.0}};
  const Vector repeated{{4.0, 4.0, -1.0, 7.0, 7.0, 7.0, 0.0, 0.0}};
  EXPECT_DOUBLE_EQ(default_delta(response, weights), default_delta(repeated, Vector::Ones(8)));
}

TEST(DefaultDelta, FallsBackWhereMostResponsesAreEqual) {
  EXPECT_DOUBLE_EQ(default_delta(Vector{{5.0, 5.0, 5.0, 9.0}}, Vector::Ones(4)), 1.345);
  EXPECT_DOUBLE_EQ(default_delta(Vector::Constant(4, 5.0), Vector::Ones(4)), 1.0);
}

TEST(LossParameters, DeltaMustBePositive) {
  for (const double delta : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT([&] { HuberLoss loss(delta); }, ThrowsMessage<InvalidArgument>(HasSubstr("positive")));
    EXPECT_THAT([&] { PseudoHuberLoss loss(delta); }, ThrowsMessage<InvalidArgument>(HasSubstr("positive")));
  }
}

TEST(LossParameters, QuantileIsBetweenZeroAndOne) {
  for (const double tau : {0.0, 1.0, -0.5, 95.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT([&] { QuantileLoss loss(tau); },
                ThrowsMessage<InvalidArgument>(HasSubstr("between 0 and 1")));
  }
}

TEST(LossParameters, EpsilonIsNotNegative) {
  for (const double epsilon : {-0.1, std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT([&] { EpsilonInsensitiveLoss loss(epsilon); },
                ThrowsMessage<InvalidArgument>(HasSubstr("at least 0")));
  }
}

// One kink per row and not two in one place.
TEST(LossParameters, EpsilonZeroIsTheAbsoluteLoss) {
  const Vector u{{-1.0, 0.5, 2.0, 3.0}};
  const Vector y{{0.0, 0.5, 3.0, 1.0}};
  const EpsilonInsensitiveLoss tube(0.0);
  const AbsoluteLoss absolute;
  EXPECT_EQ(tube.value(u, y), absolute.value(u, y));
  EXPECT_EQ(tube.derivative(u, y), absolute.derivative(u, y));
  EXPECT_EQ(tube.kinks(y).position, absolute.kinks(y).position);
  EXPECT_EQ(tube.kinks(y).slope, absolute.kinks(y).slope);
  for (const double g : {-1.0, -0.3, 0.0, 0.6, 1.0}) {
    EXPECT_EQ(tube.fenchel_gap(u, Vector::Constant(4, g), y),
              absolute.fenchel_gap(u, Vector::Constant(4, g), y));
  }
}

// A slope that is off by rounding is in the domain, one that is off by more is not.
TEST(LossParameters, SlopesAtTheEndsMayRound) {
  const Vector u{{-1.0, 4.0}};
  const Vector y{{0.0, 3.0}};
  const Vector edge{{-0.1, 0.9}};
  EXPECT_EQ(QuantileLoss(0.1).fenchel_gap(u, edge * (1.0 + 1e-15), y), Vector::Zero(2));
  EXPECT_EQ(QuantileLoss(0.1).fenchel_gap(u, edge * (1.0 + 1e-12), y).minCoeff(),
            std::numeric_limits<double>::infinity());
}

TEST(LossParameters, MissingOnesAreNamed) {
  EXPECT_THAT([] { make_loss("huber"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("huber loss needs its delta")));
  EXPECT_THAT([] { make_loss("multinomial"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("at least 2 classes, not 0")));
}

TEST(LossParameters, ComeFromTheDataUnlessGiven) {
  const Dataset data = make_dataset(Design(Matrix::Ones(5, 1)), Vector{{0.0, 1.0, 2.0, 2.0, 4.0}});
  EXPECT_EQ(with_defaults("huber", {}, data).delta, default_delta(data.response, data.weights));
  EXPECT_EQ(with_defaults("multinomial", {}, data).classes, 5);
  EXPECT_FALSE(with_defaults("squared", {}, data).delta.has_value());
  EXPECT_EQ(with_defaults("quantile", {}, data).quantile, 0.5);
  EXPECT_EQ(with_defaults("epsilon-insensitive", {}, data).epsilon, 0.1);
  EXPECT_FALSE(with_defaults("absolute", {}, data).quantile.has_value());
  EXPECT_FALSE(with_defaults("quantile", {}, data).epsilon.has_value());
  ModelParameters given;
  given.delta = 0.3;
  EXPECT_EQ(with_defaults("pseudo-huber", given, data).delta, 0.3);
  given.quantile = 0.9;
  given.epsilon = 0.0;
  EXPECT_EQ(with_defaults("quantile", given, data).quantile, 0.9);
  EXPECT_EQ(with_defaults("epsilon-insensitive", given, data).epsilon, 0.0);
}

TEST(LossParameters, AreSaid) {
  EXPECT_EQ(Loss(HuberLoss(1.5)).describe(), "huber loss (delta 1.5)");
  EXPECT_EQ(Loss(MultinomialLoss(4)).describe(), "multinomial loss (4 classes)");
  EXPECT_EQ(Loss(QuantileLoss(0.9)).describe(), "quantile loss (quantile 0.9)");
  EXPECT_EQ(make_loss("epsilon-insensitive").describe(), "epsilon-insensitive loss (epsilon 0.1)");
  EXPECT_EQ(make_loss("poisson").describe(), "poisson loss");
  const Dataset data = make_dataset(Design(Matrix{{1.0}, {2.0}, {4.0}}), Vector{{1.0, 2.0, 3.0}});
  EXPECT_THAT(Problem(data, HuberLoss(1.5), make_penalty("lasso")).describe(),
              HasSubstr("sum over rows of huber loss (delta 1.5) + lambda"));
}

}  // namespace
}  // namespace alo
