// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "alo/risk.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

Problem small_problem(Vector weights, WeightKind kind) {
  Dataset data = make_dataset(Design(Matrix{{1.0}, {2.0}, {4.0}, {3.0}}), Vector{{1.0, 2.0, 4.0, 3.5}});
  data.weights = std::move(weights);
  data.weight_kind = kind;
  testing_support::RandomProblem p;
  p.columns = 1;
  return p.problem(std::move(data));
}

LeaveOneOut predictions(Vector values) {
  const auto rows = static_cast<std::size_t>(values.size());
  return {std::move(values), Vector(), 0.0, std::vector<RowFlag>(rows, RowFlag::none)};
}

const LeaveOneOut held_out = predictions(Vector{{0.0, 2.5, 4.0, 3.0}});  // residuals 1, -0.5, 0, 0.5

TEST(Metric, MeansByHand) {
  const Problem problem = small_problem(Vector::Ones(4), WeightKind::importance);
  EXPECT_DOUBLE_EQ(*estimate_risk(problem, Metric::mse, held_out).mean, 1.5 / 4);
  EXPECT_DOUBLE_EQ(*estimate_risk(problem, Metric::mae, held_out).mean, 2.0 / 4);
  // Mean of y is 2.625, total sum of squares 5.6875.
  EXPECT_NEAR(*estimate_risk(problem, Metric::r2, held_out).mean, 1.0 - 1.5 / 5.6875, 1e-15);
  // Squares 1, 0.25, 0, 0.25: variance with divisor 3 is 0.1875.
  EXPECT_NEAR(*estimate_risk(problem, Metric::mse, held_out).se, std::sqrt(0.1875 / 4), 1e-15);
}

TEST(Metric, WeightedStandardErrors) {
  const Vector weights{{2.0, 1.0, 0.5, 0.5}};
  const Problem problem = small_problem(weights, WeightKind::importance);
  const Estimate estimate = estimate_risk(problem, Metric::mse, held_out);
  const double mean = (2.0 * 1.0 + 0.25 + 0.5 * 0.25) / 4.0;
  EXPECT_DOUBLE_EQ(*estimate.mean, mean);
  const double sum = 4.0 * std::pow(1.0 - mean, 2) + std::pow(0.25 - mean, 2) + 0.25 * std::pow(mean, 2) +
                     0.25 * std::pow(0.25 - mean, 2);
  EXPECT_NEAR(*estimate.se, std::sqrt(sum) / 4.0, 1e-15);
}

TEST(Metric, FrequenciesCountAsRows) {
  const Problem counted = small_problem(Vector{{2.0, 1.0, 1.0, 1.0}}, WeightKind::frequency);
  const Estimate estimate = estimate_risk(counted, Metric::mse, held_out);
  // Squares 1, 1, 0.25, 0, 0.25: mean 0.5, variance with divisor 4 is 0.21875.
  EXPECT_DOUBLE_EQ(*estimate.mean, 0.5);
  EXPECT_NEAR(*estimate.se, std::sqrt(0.21875 / 5), 1e-15);
}

TEST(Metric, UndefinedRowsAreCountedAndSpoilTheMean) {
  const Problem problem = small_problem(Vector::Ones(4), WeightKind::importance);
  const Estimate estimate = estimate_risk(problem, Metric::mse, predictions(Vector{{0.0, NAN, 4.0, NAN}}));
  EXPECT_FALSE(estimate.mean.has_value());
  EXPECT_EQ(estimate.undefined, 2);
  // A row without weight is not missed.
  const Problem lighter = small_problem(Vector{{1.0, 0.0, 1.0, 1.0}}, WeightKind::importance);
  EXPECT_TRUE(
      estimate_risk(lighter, Metric::mse, predictions(Vector{{0.0, NAN, 4.0, 3.0}})).mean.has_value());
}

TEST(PairedDifference, ByHand) {
  // Squares 1, 0.25, 0, 0.25 and 0.25, 0.25, 1, 0.25; the differences 0.75, 0, -1, 0 have mean -1/16 and,
  // with divisor 3, variance (0.5625 + 1 - 4 / 256) / 3.
  const LeaveOneOut other = predictions(Vector{{0.5, 1.5, 5.0, 4.0}});
  const Problem problem = small_problem(Vector::Ones(4), WeightKind::importance);
  const Estimate squares = paired_difference(problem, Metric::mse, held_out, other);
  EXPECT_DOUBLE_EQ(*squares.mean, -1.0 / 16);
  EXPECT_NEAR(*squares.se, std::sqrt((0.5625 + 1.0 - 4.0 / 256) / 3 / 4), 1e-15);
  // r2 goes through the squared errors.
  const Estimate shares = paired_difference(problem, Metric::r2, held_out, other);
  EXPECT_EQ(shares.mean, squares.mean);
  EXPECT_EQ(shares.se, squares.se);
}

TEST(PairedDifference, TakesTheWeightsAsTheRiskDoes) {
  const LeaveOneOut other = predictions(Vector{{0.5, 1.5, 5.0, 4.0}});
  for (const WeightKind kind : {WeightKind::importance, WeightKind::frequency}) {
    const Problem problem = small_problem(Vector{{2.0, 1.0, 3.0, 1.0}}, kind);
    const Estimate difference = paired_difference(problem, Metric::mae, held_out, other);
    EXPECT_NEAR(*difference.mean,
                *estimate_risk(problem, Metric::mae, held_out).mean -
                    *estimate_risk(problem, Metric::mae, other).mean,
                1e-15);
    // Against errors of zero the difference is the risk itself.
    const LeaveOneOut perfect = predictions(problem.data().response);
    EXPECT_EQ(paired_difference(problem, Metric::mae, held_out, perfect).se,
              estimate_risk(problem, Metric::mae, held_out).se);
  }
}

TEST(PairedDifference, RanksGoThroughTheLoss) {
  testing_support::RandomProblem p;
  p.columns = 1;
  p.loss = "logistic";
  const Problem problem =
      p.problem(make_dataset(Design(Matrix{{1.0}, {2.0}, {4.0}, {3.0}}), Vector{{-1.0, 1.0, 1.0, -1.0}}));
  const LeaveOneOut other = predictions(Vector{{0.5, 1.5, 5.0, 4.0}});
  const Estimate ranks = paired_difference(problem, Metric::auc, held_out, other);
  EXPECT_EQ(ranks.mean, paired_difference(problem, Metric::deviance, held_out, other).mean);
  EXPECT_NEAR(*ranks.mean,
              *estimate_risk(problem, Metric::deviance, held_out).mean -
                  *estimate_risk(problem, Metric::deviance, other).mean,
              1e-15);
}

TEST(PairedDifference, UndefinedInEitherHasNoValue) {
  const Problem problem = small_problem(Vector::Ones(4), WeightKind::importance);
  const LeaveOneOut other = predictions(Vector{{0.0, NAN, 4.0, NAN}});
  EXPECT_FALSE(paired_difference(problem, Metric::mse, held_out, other).mean.has_value());
  EXPECT_EQ(paired_difference(problem, Metric::mse, other, held_out).undefined, 2);
}

// The standard error of R2 against the spread of R2 over bootstrap samples.
TEST(Metric, DeltaMethodAgreesWithTheBootstrap) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const Index n = 400;
  Dataset data = make_dataset(Design(Matrix::Ones(n, 1)),
                              Vector::NullaryExpr(n, [&] { return 2.0 * normal(generator); }));
  const Vector predicted = 0.7 * data.response + Vector::NullaryExpr(n, [&] { return normal(generator); });
  testing_support::RandomProblem p;
  p.columns = 1;
  const double se = *estimate_risk(p.problem(data), Metric::r2, predictions(predicted)).se;
  std::vector<double> values;
  for (int sample = 0; sample < 300; ++sample) {
    std::vector<Index> rows;
    for (Index i = 0; i < n; ++i) rows.push_back(static_cast<Index>(generator() % n));
    const Dataset drawn = make_dataset(Design(Matrix::Ones(n, 1)), data.response(rows));
    values.push_back(*estimate_risk(p.problem(drawn), Metric::r2, predictions(predicted(rows))).mean);
  }
  const Eigen::Map<const Vector> all(values.data(), 300);
  const double spread = std::sqrt((all.array() - all.mean()).square().sum() / 299);
  EXPECT_NEAR(se / spread, 1.0, 0.15);
}

}  // namespace
}  // namespace alo
