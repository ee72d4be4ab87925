// SPDX-License-Identifier: MIT
// What every loss must satisfy. A new loss is one more entry in `cases`.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "alo/loss.hpp"
#include "alo/losses/absolute.hpp"
#include "alo/losses/epsilon_insensitive.hpp"
#include "alo/losses/gamma.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/huber.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/losses/poisson.hpp"
#include "alo/losses/probit.hpp"
#include "alo/losses/pseudo_huber.hpp"
#include "alo/losses/quantile.hpp"
#include "alo/losses/squared.hpp"
#include "alo/losses/squared_hinge.hpp"
#include "alo/registry.hpp"

namespace alo {
namespace {

constexpr Index rows = 41;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct LossCase {
  Loss loss;
  Vector predictor;  // output after output
  Vector response;
  Vector outside;  // a dual point outside the domain of the conjugate; empty: there is none
  std::vector<double> all_responses;  // of classes
};

constexpr double delta = 0.8;
constexpr double tau = 0.3;
constexpr double epsilon = 0.25;
constexpr Index classes = 3;

std::vector<LossCase> cases() {
  const Vector points = Vector::LinSpaced(rows, -3.0, 3.0);
  const Vector numbers = (2.0 * points.array()).sin() * 2.0;
  const Vector signs = numbers.unaryExpr([](double value) { return value > 0.0 ? 1.0 : -1.0; });
  const Vector counts = numbers.unaryExpr([](double value) { return std::floor(2.0 * value * value); });
  const Vector amounts = numbers.array().exp();
  const Vector labels = Vector::NullaryExpr(rows, [](Index i) { return static_cast<double>(i % classes); });
  const Vector three = Vector::LinSpaced(classes * rows, -4.0, 4.0).unaryExpr([](double value) {
    return 3.0 * std::sin(5.0 * value);
  });
  const Vector beyond = Vector::Constant(rows, 1.01 * delta);
  const std::vector<double> both = {-1.0, 1.0};
  const Vector off_kinks = points.array() + 0.013;
  return {{SquaredLoss{}, points, numbers, {}, {}},
          {LogisticLoss{}, points, signs, 0.1 * signs, both},
          {PoissonLoss{}, points, counts, -1.01 * counts.array() - 0.01, {}},
          {HuberLoss{delta}, points, numbers, beyond, {}},
          {PseudoHuberLoss{delta}, points, numbers, -beyond, {}},
          {SquaredHingeLoss{}, points, signs, 0.1 * signs, both},
          {GammaLoss{}, points, amounts, Vector::Constant(rows, 1.01), {}},
          {ProbitLoss{}, points, signs, 0.1 * signs, both},
          {HingeLoss{}, points, signs, 0.1 * signs, both},
          {AbsoluteLoss{}, off_kinks, numbers, Vector::Constant(rows, 1.01), {}},
          {QuantileLoss{tau}, off_kinks, numbers, Vector::Constant(rows, -1.01 * tau), {}},
          {EpsilonInsensitiveLoss{epsilon}, off_kinks, numbers, Vector::Constant(rows, -1.01), {}},
          {MultinomialLoss{classes}, three, labels, Vector::Constant(classes * rows, 0.1), {0.0, 1.0, 2.0}}};
}

class LossContract : public testing::TestWithParam<std::size_t> {
 protected:
  const LossCase given = cases()[GetParam()];
  const Loss& loss = given.loss;
  const Vector& u = given.predictor;
  const Vector& y = given.response;
  const Index outputs = loss.outputs();

  // u with h added to output k of every row
  Vector moved(Index k, double h) const {
    Vector result = u;
    by_output(result, outputs).col(k).array() += h;
    return result;
  }
  // Per row, the sum over outputs of a b.
  Vector row_products(const Vector& a, const Vector& b) const {
    return by_output(a, outputs).cwiseProduct(by_output(b, outputs)).rowwise().sum();
  }
  // Per row, l'' times b.
  Vector curvature_times(const Vector& b) const {
    const Vector curvature = loss.curvature(u, y);
    Vector result = Vector::Zero(b.size());
    for (Index j = 0; j < outputs; ++j) {
      for (Index k = 0; k < outputs; ++k) {
        by_output(result, outputs).col(j) += by_output(curvature, outputs * outputs)
                                                 .col(j + outputs * k)
                                                 .cwiseProduct(by_output(b, outputs).col(k));
      }
    }
    return result;
  }
};

TEST_P(LossContract, DerivativesAgreeWithDifferences) {
  const double h = 1e-5;
  const Vector derivative = loss.derivative(u, y);
  const Vector curvature = loss.curvature(u, y);
  ASSERT_EQ(derivative.size(), rows * outputs);
  ASSERT_EQ(curvature.size(), rows * outputs * outputs);
  for (Index k = 0; k < outputs; ++k) {
    const Vector slope = (loss.value(moved(k, h), y) - loss.value(moved(k, -h), y)) / (2 * h);
    const Vector bend = (loss.derivative(moved(k, h), y) - loss.derivative(moved(k, -h), y)) / (2 * h);
    // Central differences err by h^2 and rounding / h: both near 1e-10.
    EXPECT_LT((by_output(derivative, outputs).col(k) - slope).lpNorm<Eigen::Infinity>(),
              1e-8 * (1 + derivative.norm()));
    // Column k of every row's block: entries (j, k) at positions j + K k.
    EXPECT_LT((curvature.segment(k * outputs * rows, outputs * rows) - bend).lpNorm<Eigen::Infinity>(),
              1e-8 * (1 + curvature.norm()));
  }
  EXPECT_GE(row_products(u, curvature_times(u)).minCoeff(), 0.0);
}

TEST_P(LossContract, OneEvaluationGivesAllThree) {
  const LossValues values = loss.evaluate(u, y);
  EXPECT_LE((values.value - loss.value(u, y)).norm(), 1e-14 * values.value.norm());
  EXPECT_LE((values.derivative - loss.derivative(u, y)).norm(), 1e-14 * values.derivative.norm());
  EXPECT_LE((values.curvature - loss.curvature(u, y)).norm(), 1e-14 * values.curvature.norm());
}

TEST_P(LossContract, FenchelGapIsZeroAtTheDerivativeAndPositiveElsewhere) {
  const Vector derivative = loss.derivative(u, y);
  EXPECT_LT(loss.fenchel_gap(u, derivative, y).lpNorm<Eigen::Infinity>(), 1e-14);
  const Vector away = loss.fenchel_gap(u, 0.9 * derivative, y);
  for (Index i = 0; i < rows; ++i) {
    if (by_output(derivative, outputs).row(i).norm() > 1e-6) {
      EXPECT_GT(away[i], 0.0);
    }
  }
}

// At l' + t l'' v the gap is t^2 v'l''v / 2 up to a relative error of order t. Far below rounding of
// the loss itself it must keep its digits: certificates are sums of such terms.
TEST_P(LossContract, TinyFenchelGapsAreRelativelyExact) {
  const Vector direction = (3.0 * u.array()).cos();
  const Vector bent = curvature_times(direction);
  const Vector expected = row_products(direction, bent);
  for (const double t : {1e-5, -1e-7, 1e-9}) {
    const Vector gap = loss.fenchel_gap(u, loss.derivative(u, y) + t * bent, y);
    for (Index i = 0; i < rows; ++i) {
      EXPECT_NEAR(gap[i], 0.5 * t * t * expected[i], 1e-4 * t * t * expected[i] + 1e-28)
          << t << " in row " << i;
    }
  }
}

// l(u) + l*(g) - g u with the conjugate from its definition, a supremum over a grid.
TEST_P(LossContract, FenchelGapAgreesWithTheSupremum) {
  if (outputs > 1) return;  // a grid has one dimension; the next test serves
  Vector grid = Vector::LinSpaced(200001, -40.0, 40.0);
  const Matrix kinks = loss.kinks(y).position;
  for (const Index i : {Index{3}, Index{20}, Index{33}}) {
    grid.head(kinks.cols()) = kinks.row(i);  // where a supremum is sharp
    const double g = 0.5 * loss.derivative(u, y)[i];
    const Vector repeated = Vector::Constant(grid.size(), y[i]);
    const double conjugate = (g * grid - loss.value(grid, repeated)).maxCoeff();
    const double expected = loss.value(u, y)[i] + conjugate - g * u[i];
    EXPECT_NEAR(loss.fenchel_gap(u, Vector::Constant(rows, g), y)[i], expected, 1e-6);
  }
}

// At g = l'(v) it is l(u) - l(v) - g (u - v).
TEST_P(LossContract, FenchelGapAgreesWithTheTangent) {
  for (const double factor : {0.97, 0.5, -0.5, 3.0}) {
    const Vector v = factor * u.array() + 0.01;
    const Vector g = loss.derivative(v, y);
    const Vector expected = loss.value(u, y) - loss.value(v, y) - row_products(g, u - v);
    // What cancels is as large as the values.
    EXPECT_LT((loss.fenchel_gap(u, g, y) - expected).lpNorm<Eigen::Infinity>(),
              1e-13 * (1 + loss.value(v, y).lpNorm<Eigen::Infinity>()));
  }
}

TEST_P(LossContract, FenchelGapIsInfiniteOutsideTheDomain) {
  if (given.outside.size() == 0) return;
  EXPECT_TRUE((loss.fenchel_gap(u, given.outside, y).array() == infinity).all());
}

TEST_P(LossContract, MinimumIsTheLeastValue) {
  const Vector least = loss.minimum(y);
  EXPECT_TRUE((loss.value(u, y).array() >= least.array() - 1e-14).all());
  const Vector gap = loss.fenchel_gap(u, Vector::Zero(u.size()), y);
  EXPECT_LT((gap - (loss.value(u, y) - least)).lpNorm<Eigen::Infinity>(), 1e-13);
}

// The derivative has mean zero under the prediction: of a number l'(u; mean) = 0, of classes the
// average of l' over the classes with the predicted probabilities.
TEST_P(LossContract, MeanIsWhatThePredictorStandsFor) {
  const Vector mean = loss.mean(u);
  ASSERT_EQ(mean.size(), rows * outputs);
  if (loss.response_kind() == ResponseKind::number) {
    EXPECT_LT(loss.derivative(u, mean).lpNorm<Eigen::Infinity>(), 1e-13);
    return;
  }
  EXPECT_GE(mean.minCoeff(), 0.0);
  EXPECT_LE(mean.maxCoeff(), 1.0);
  if (loss.has_kinks()) return;  // a score and no probability
  Vector average = Vector::Zero(rows * outputs);
  const std::vector<double>& labels = given.all_responses;
  for (std::size_t c = 0; c < labels.size(); ++c) {
    Vector share = by_output(mean, outputs).col(outputs == 1 ? 0 : static_cast<Index>(c));
    if (labels[c] == -1.0) share = 1.0 - share.array();
    average +=
        share.replicate(outputs, 1).cwiseProduct(loss.derivative(u, Vector::Constant(rows, labels[c])));
  }
  EXPECT_LT(average.lpNorm<Eigen::Infinity>(), 1e-13);
}

TEST_P(LossContract, ExtremePredictorsGiveNumbers) {
  for (const double size : {40.0, 1e3, 1e5}) {
    // One output far from the others, above and below.
    for (Index k = 0; k < outputs; ++k) {
      for (const double sign : {-1.0, 1.0}) {
        Vector far = Vector::Zero(rows * outputs);
        by_output(far, outputs).col(k).setConstant(sign * size);
        const LossValues values = loss.evaluate(far, y);
        EXPECT_FALSE(values.value.hasNaN());
        EXPECT_FALSE(values.derivative.hasNaN());
        EXPECT_FALSE(values.curvature.hasNaN());
        EXPECT_FALSE(loss.mean(far).hasNaN());
        EXPECT_FALSE(loss.value(far, y).hasNaN());
        EXPECT_FALSE(loss.derivative(far, y).hasNaN());
        EXPECT_FALSE(loss.curvature(far, y).hasNaN());
        const Vector deviance = loss.fenchel_gap(far, Vector::Zero(far.size()), y);
        for (Index i = 0; i < rows; ++i) {
          if (std::isinf(values.value[i])) continue;  // an exponential mean
          EXPECT_TRUE(by_output(values.derivative, outputs).row(i).allFinite());
          EXPECT_NEAR(deviance[i], values.value[i] - loss.minimum(y)[i],
                      1e-12 * (1 + std::abs(values.value[i])));
          // Rounding of the derivative, over the size of the predictor.
          EXPECT_LT(loss.fenchel_gap(far, values.derivative, y)[i], 1e-14 * (1 + std::abs(values.value[i])));
        }
      }
    }
  }
}

// A loss is linear between its kinks or curved: one or the other is zero.
TEST_P(LossContract, HasKinksOrCurvature) {
  EXPECT_NE(loss.has_kinks(), loss.curvature(u, y).maxCoeff() > 0.0);
}

TEST_P(LossContract, KinksAreWhereTheSlopeChanges) {
  if (!loss.has_kinks()) return;
  const Kinks kinks = loss.kinks(y);
  const Index count = kinks.position.cols();
  ASSERT_GE(count, 1);
  ASSERT_EQ(kinks.position.rows(), rows);
  ASSERT_EQ(kinks.slope.rows(), rows);
  ASSERT_EQ(kinks.slope.cols(), count + 1);
  EXPECT_LE(kinks.slope.col(0).maxCoeff(), 0.0);
  EXPECT_GE(kinks.slope.col(count).minCoeff(), 0.0);
  for (Index k = 0; k < count; ++k) {
    const Vector at = kinks.position.col(k);
    const Vector left = kinks.slope.col(k);
    const Vector right = kinks.slope.col(k + 1);
    EXPECT_TRUE((left.array() < right.array()).all());
    EXPECT_EQ(loss.derivative(at, y), Vector(left.cwiseMax(0.0) + right.cwiseMin(0.0))) << "nearest to zero";
    // Up to the next kink, or a step beyond the last one.
    Vector before = Vector::Constant(rows, 0.7);
    Vector after = before;
    if (k > 0) before = 0.7 * (at - kinks.position.col(k - 1));
    if (k + 1 < count) after = 0.7 * (kinks.position.col(k + 1) - at);
    EXPECT_GT(before.minCoeff(), 0.0);
    EXPECT_EQ(loss.derivative(at - before, y), left);
    EXPECT_EQ(loss.derivative(at + after, y), right);
    const Vector value = loss.value(at, y);
    EXPECT_LT((loss.value(at - before, y) - value + left.cwiseProduct(before)).norm(), 1e-13);
    EXPECT_LT((loss.value(at + after, y) - value - right.cwiseProduct(after)).norm(), 1e-13);
  }
}

// With the conjugate from its definition: the supremum of g v - l(v) is at a kink.
TEST_P(LossContract, FenchelGapOfALossWithKinks) {
  if (!loss.has_kinks()) return;
  const Kinks kinks = loss.kinks(y);
  const Index count = kinks.position.cols();
  for (Index i = 0; i < rows; ++i) {
    Vector points(41 + count);
    points << Vector::LinSpaced(41, -4.0, 4.0), kinks.position.row(i).transpose();
    const Vector repeated = Vector::Constant(points.size(), y[i]);
    const Vector values = loss.value(points, repeated);
    Vector slopes(9 + count + 1);
    slopes << Vector::LinSpaced(9, kinks.slope(i, 0), kinks.slope(i, count)), kinks.slope.row(i).transpose();
    for (const double g : slopes) {
      const Vector gap = loss.fenchel_gap(points, Vector::Constant(points.size(), g), repeated);
      const Vector expected = (values - g * points).array() + (g * points - values).maxCoeff();
      EXPECT_LT((gap - expected).lpNorm<Eigen::Infinity>(), 1e-14);
      for (Index j = 0; j < points.size(); ++j) {
        const auto passed = (kinks.position.row(i).array() < points[j]).count();
        const auto reached = (kinks.position.row(i).array() <= points[j]).count();
        const bool is_subgradient = kinks.slope(i, passed) <= g && g <= kinks.slope(i, reached);
        EXPECT_EQ(gap[j] == 0.0, is_subgradient) << "slope " << g << " at " << points[j] << ", y " << y[i];
      }
    }
  }
}

TEST_P(LossContract, AcceptsItsResponse) {
  EXPECT_NO_THROW(loss.check_response(y));
}

TEST_P(LossContract, IsInTheRegistry) {
  ModelParameters parameters;
  parameters.delta = delta;
  parameters.quantile = tau;
  parameters.epsilon = epsilon;
  parameters.classes = classes;
  const Loss made = make_loss(loss.name(), parameters);
  EXPECT_EQ(made.name(), loss.name());
  EXPECT_EQ(made.outputs(), outputs);
  EXPECT_EQ(response_kind(loss.name()), loss.response_kind());
  EXPECT_EQ(loss.value(u, y), made.value(u, y));
}

TEST(LossContract, CoversTheRegistry) {
  std::vector<std::string> covered;
  for (const LossCase& one : cases()) covered.push_back(one.loss.name());
  for (const ModelEntry& entry : losses()) {
    EXPECT_NE(std::find(covered.begin(), covered.end(), entry.name), covered.end())
        << entry.name << " has no case";
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossContract, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& parameter) {
                           std::string name = cases()[parameter.param].loss.name();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace alo
