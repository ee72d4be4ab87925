// SPDX-License-Identifier: MIT
// Metrics of classes, counts and robust losses, by hand.
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "alo/risk.hpp"
#include "alo/tune.hpp"

namespace alo {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Problem problem_of(const std::string& loss, const Vector& response, const Vector& weights = {},
                   WeightKind kind = WeightKind::importance) {
  Dataset data = make_dataset(Design(Matrix(Vector::LinSpaced(response.size(), 0.0, 1.0))), response);
  if (weights.size() > 0) data.weights = weights;
  data.weight_kind = kind;
  ModelParameters parameters;
  parameters.delta = 1.5;
  parameters.quantile = 0.9;
  parameters.epsilon = 0.5;
  return Problem(data, make_loss(loss, with_defaults(loss, parameters, data)), make_penalty("ridge"));
}

LeaveOneOut held_out(const Vector& predictor) {
  return {predictor, Vector(), 0.0, {}};
}

double risk(const Problem& problem, Metric metric, const Vector& predictor) {
  return *estimate_risk(problem, metric, held_out(predictor)).mean;
}

double sigmoid(double u) {
  return 1.0 / (1.0 + std::exp(-u));
}

TEST(LossMetric, TwoClassesByHand) {
  const Problem problem = problem_of("logistic", Vector{{1.0, -1.0, 1.0, -1.0}});
  const Vector u{{2.0, -1.0, -0.5, 0.0}};  // right, right, wrong, undecided
  const double logloss =
      (std::log1p(std::exp(-2.0)) + std::log1p(std::exp(-1.0)) + std::log1p(std::exp(0.5)) + std::log(2.0)) /
      4.0;
  EXPECT_NEAR(risk(problem, Metric::logloss, u), logloss, 1e-15);
  EXPECT_NEAR(risk(problem, Metric::deviance, u), 2.0 * logloss, 1e-15);
  EXPECT_DOUBLE_EQ(risk(problem, Metric::misclassification, u), (1.0 + 0.5) / 4.0);
  EXPECT_DOUBLE_EQ(risk(problem, Metric::hinge, u), (1.5 + 1.0) / 4.0);
  const double brier =
      std::pow(1.0 - sigmoid(2.0), 2) + std::pow(sigmoid(-1.0), 2) + std::pow(1.0 - sigmoid(-0.5), 2) + 0.25;
  EXPECT_NEAR(risk(problem, Metric::brier, u), brier / 4.0, 1e-15);
  EXPECT_DOUBLE_EQ(risk(problem, Metric::auc, u), 0.75);
}

TEST(LossMetric, ProbitUsesItsOwnProbabilities) {
  const Problem problem = problem_of("probit", Vector{{1.0, -1.0}});
  const Vector u{{1.0, 0.5}};
  const double first = 0.5 * std::erfc(-1.0 / std::sqrt(2.0));
  const double second = 0.5 * std::erfc(-0.5 / std::sqrt(2.0));
  EXPECT_NEAR(risk(problem, Metric::logloss, u), -(std::log(first) + std::log(1.0 - second)) / 2.0, 1e-15);
  EXPECT_NEAR(risk(problem, Metric::brier, u), (std::pow(1.0 - first, 2) + second * second) / 2.0, 1e-15);
}

TEST(LossMetric, SeveralClassesByHand) {
  const Problem problem = problem_of("multinomial", Vector{{0.0, 1.0, 2.0}});
  // Right, tied with one other, tied with all.
  const Matrix u{{std::log(2.0), 0.0, 0.0}, {0.0, 0.0, -50.0}, {1.0, 1.0, 1.0}};
  const Vector flat = u.reshaped();
  EXPECT_NEAR(risk(problem, Metric::misclassification, flat), (0.0 + 1.0 / 2.0 + 2.0 / 3.0) / 3.0, 1e-15);
  EXPECT_NEAR(risk(problem, Metric::logloss, flat), (std::log(2.0) + std::log(2.0) + std::log(3.0)) / 3.0,
              1e-15);
  // Probabilities (1/2, 1/4, 1/4), (1/2, 1/2, 0), (1/3, 1/3, 1/3).
  EXPECT_NEAR(risk(problem, Metric::brier, flat), (3.0 / 8.0 + 1.0 / 2.0 + 2.0 / 3.0) / 3.0, 1e-14);
  EXPECT_NEAR(risk(problem, Metric::deviance, flat), 2.0 * risk(problem, Metric::logloss, flat), 1e-14);
}

TEST(LossMetric, CountsAndAmountsOnTheirOwnScale) {
  const Vector u{{0.0, std::log(3.0)}};  // means 1 and 3
  const Problem counts = problem_of("poisson", Vector{{0.0, 5.0}});
  EXPECT_NEAR(risk(counts, Metric::deviance, u), (2.0 * 1.0 + 2.0 * (5.0 * std::log(5.0 / 3.0) - 2.0)) / 2.0,
              1e-14);
  EXPECT_NEAR(risk(counts, Metric::mse, u), (1.0 + 4.0) / 2.0, 1e-14);
  EXPECT_NEAR(risk(counts, Metric::mae, u), (1.0 + 2.0) / 2.0, 1e-14);
  EXPECT_NEAR(risk(counts, Metric::r2, u), 1.0 - 5.0 / 12.5, 1e-14);
  const Problem amounts = problem_of("gamma", Vector{{2.0, 1.5}});
  const auto deviance = [](double y, double mean) { return 2.0 * (std::log(mean / y) - 1.0 + y / mean); };
  EXPECT_NEAR(risk(amounts, Metric::deviance, u), (deviance(2.0, 1.0) + deviance(1.5, 3.0)) / 2.0, 1e-14);
}

TEST(LossMetric, HuberTakesTheDeltaOfTheLoss) {
  const Vector u{{1.0, 0.0}};
  const Vector y{{0.0, 4.0}};  // residuals 1 and -4, delta 1.5
  EXPECT_DOUBLE_EQ(risk(problem_of("huber", y), Metric::huber, u), (0.5 + 1.5 * 4.0 - 0.5 * 2.25) / 2.0);
  EXPECT_NEAR(risk(problem_of("pseudo-huber", y), Metric::huber, u),
              2.25 * (std::hypot(1.0, 1.0 / 1.5) + std::hypot(1.0, 4.0 / 1.5) - 2.0) / 2.0, 1e-14);
}

TEST(LossMetric, KinkedLossesTakeTheirOwnParameters) {
  const Vector u{{1.0, 0.0, 2.5}};
  const Vector y{{0.0, 4.0, 2.1}};  // residuals 1, -4 and 0.4
  EXPECT_DOUBLE_EQ(risk(problem_of("quantile", y), Metric::pinball, u), (0.1 + 0.9 * 4.0 + 0.04) / 3.0);
  EXPECT_DOUBLE_EQ(risk(problem_of("quantile", y), Metric::mae, u), 5.4 / 3.0);
  EXPECT_DOUBLE_EQ(risk(problem_of("epsilon-insensitive", y), Metric::epsilon_insensitive, u),
                   (0.5 + 3.5) / 3.0);
  EXPECT_DOUBLE_EQ(risk(problem_of("absolute", y), Metric::mae, u), 5.4 / 3.0);
  const Vector margins{{0.5, -2.0, 0.5}};
  EXPECT_DOUBLE_EQ(risk(problem_of("hinge", Vector{{1.0, -1.0, -1.0}}), Metric::hinge, margins),
                   (0.5 + 1.5) / 3.0);
}

// The fit without a row of +1 has a lower intercept than the fit without one of -1. With intercepts alone
// that is all there is: every pair is lost, though no row says anything.
TEST(LossMetric, RecentredAucOfInterceptsAloneIsOneHalf) {
  for (const Index positive : {3, 10, 20}) {
    const Index rows = 40;
    const Vector y = Vector::NullaryExpr(rows, [&](Index i) { return i < positive ? 1.0 : -1.0; });
    const Vector u = y.unaryExpr([&](double label) {
      const double share = static_cast<double>(label > 0.0 ? positive - 1 : positive) / (rows - 1);
      return std::log(share / (1.0 - share));
    });
    const Problem problem = problem_of("logistic", y);
    EXPECT_EQ(risk(problem, Metric::auc, u), 0.0);
    EXPECT_DOUBLE_EQ(risk(problem, Metric::auc_recentred, u), 0.5);
  }
}

// Labels that the columns know nothing of, under a strong ridge.
TEST(LossMetric, RecentredAucOfNoiseIsNearOneHalf) {
  double plain = 0.0;
  double recentred = 0.0;
  const int samples = 40;
  for (unsigned seed = 1; seed <= samples; ++seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    const Matrix x = Matrix::NullaryExpr(40, 10, [&] { return normal(generator); });
    const Vector y = Vector::NullaryExpr(40, [&](Index i) { return i % 4 == 0 ? 1.0 : -1.0; });
    const Problem problem(make_dataset(Design(x), y), make_loss("logistic"), make_penalty("ridge"));
    const Fit fit = fit_path(problem, {300.0}).fits[0];
    const LeaveOneOut held = approximate_leave_one_out(problem, fit);
    plain += *estimate_risk(problem, Metric::auc, held).mean / samples;
    recentred += *estimate_risk(problem, Metric::auc_recentred, held).mean / samples;
  }
  EXPECT_LT(plain, 0.1);
  // One sample has a standard deviation of about 0.13.
  EXPECT_NEAR(recentred, 0.5, 3 * 0.13 / std::sqrt(samples));
}

// Frequencies are repeated rows, for every metric of every loss.
TEST(LossMetric, FrequenciesAreRepeatedRows) {
  const std::vector<Index> copies = {0, 0, 1, 2, 3, 3, 3, 4, 5, 5};
  const Vector counts{{2.0, 1.0, 1.0, 3.0, 1.0, 2.0}};
  const Vector u{{0.3, -0.4, 0.3, 1.2, -0.1, 0.0}};
  const Vector signs{{1.0, -1.0, -1.0, 1.0, -1.0, 1.0}};
  const Vector labels{{0.0, 1.0, 2.0, 1.0, 0.0, 2.0}};
  for (const ModelEntry& entry : losses()) {
    const ResponseKind kind = response_kind(entry.name);
    const Vector y = kind == ResponseKind::classes       ? labels
                     : kind == ResponseKind::two_classes ? signs
                                                         : Vector(labels.array() + 0.5);
    const Problem weighted = problem_of(entry.name, y, counts, WeightKind::frequency);
    const Problem repeated = problem_of(entry.name, y(copies));
    const Index outputs = weighted.outputs();
    Matrix predictor(y.size(), outputs);
    for (Index k = 0; k < outputs; ++k) predictor.col(k) = u.array() * (1.0 - 0.7 * static_cast<double>(k));
    for (const Metric metric : metrics_of(weighted.loss())) {
      const Estimate a = estimate_risk(weighted, metric, held_out(predictor.reshaped()));
      const Estimate b = estimate_risk(repeated, metric, held_out(predictor(copies, Eigen::all).reshaped()));
      EXPECT_NEAR(*a.mean, *b.mean, 1e-14) << entry.name << ", " << to_string(metric);
      EXPECT_NEAR(*a.se, *b.se, 1e-14) << entry.name << ", " << to_string(metric);
    }
  }
}

TEST(LossMetric, OneUndefinedOutputMakesARowUndefined) {
  Vector u = Vector::Zero(9);
  u[7] = std::numeric_limits<double>::quiet_NaN();  // the third output of the second row
  const Problem problem = problem_of("multinomial", Vector{{0.0, 1.0, 2.0}});
  EXPECT_EQ(estimate_risk(problem, Metric::deviance, held_out(u)).undefined, 1);
  const Problem without = problem_of("multinomial", Vector{{0.0, 1.0, 2.0}}, Vector{{1.0, 0.0, 1.0}});
  EXPECT_DOUBLE_EQ(*estimate_risk(without, Metric::logloss, held_out(u)).mean, std::log(3.0));
}

TEST(LossMetric, ThoseThatDoNotFitAreRefusedWithThoseThatDo) {
  EXPECT_THAT([] { check_metric(Metric::mse, make_loss("logistic")); },
              ThrowsMessage<InvalidArgument>(AllOf(
                  HasSubstr("mse does not fit the logistic loss"),
                  HasSubstr("deviance, logloss, misclassification, brier, auc, auc-recentred, hinge"))));
  EXPECT_THAT([] { check_metric(Metric::auc, make_loss("squared")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("those that do: mse, mae, r2")));
  ModelParameters parameters;
  parameters.classes = 3;
  EXPECT_THAT([&] { check_metric(Metric::auc, make_loss("multinomial", parameters)); },
              ThrowsMessage<InvalidArgument>(HasSubstr("deviance")));
  EXPECT_THAT([] { check_metric(Metric::pinball, make_loss("absolute")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("those that do: mae, mse, r2")));
  TuneOptions options;
  options.metrics = {Metric::mse, Metric::brier};
  EXPECT_THAT(
      [&] {
        tune(problem_of("squared", Vector{{0.0, 1.0, 2.0}}), options);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("brier does not fit")));
}

TEST(LossMetric, Defaults) {
  EXPECT_EQ(default_metric("squared"), Metric::mse);
  for (const char* loss : {"logistic", "poisson", "gamma", "probit", "multinomial"}) {
    EXPECT_EQ(default_metric(loss), Metric::deviance) << loss;
  }
  for (const char* loss : {"huber", "pseudo-huber"}) EXPECT_EQ(default_metric(loss), Metric::huber) << loss;
  EXPECT_EQ(default_metric("squared-hinge"), Metric::hinge);
  EXPECT_EQ(default_metric("hinge"), Metric::hinge);
  EXPECT_EQ(default_metric("absolute"), Metric::mae);
  EXPECT_EQ(default_metric("quantile"), Metric::pinball);
  EXPECT_EQ(default_metric("epsilon-insensitive"), Metric::epsilon_insensitive);
}

}  // namespace
}  // namespace alo
