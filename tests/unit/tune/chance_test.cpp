// SPDX-License-Identifier: MIT
// How likely the risk between known values is better than all of them.
#include "tune/chance.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace alo {
namespace {

// A path with lambda = e^-k, known where there is a value.
TuneResult path_with(const std::vector<std::optional<double>>& risks, Metric metric = Metric::mse) {
  TuneResult result;
  RiskCurve curve;
  curve.metric = metric;
  for (std::size_t k = 0; k < risks.size(); ++k) {
    PathPoint point;
    point.fit.lambda = std::exp(-static_cast<double>(k));
    result.path.push_back(std::move(point));
    BestEstimate estimate;
    estimate.mean = risks[k].value_or(1.0);
    estimate.kind = risks[k] ? EstimateKind::exact : EstimateKind::corrected;
    if (risks[k]) estimate.error = 0.0;
    curve.estimate.push_back(estimate);
  }
  result.risk.push_back(std::move(curve));
  return result;
}

// exp(-2 a b / (s^2 T)) by hand: the aim is log(1 / 1.05), and the squared steps over their lengths are those
// of log 2 over 4 and of log(4 / 2) over 2.
TEST(Gaps, HaveTheChanceOfAWienerProcess) {
  const auto gaps = gaps_of_path(path_with({2.0, {}, {}, {}, 1.0, {}, 2.0, 3.0}));
  ASSERT_EQ(gaps.size(), 2U);
  const double aim = -std::log(1.05);
  const double two = std::log(2.0) - aim;
  const double variance = (std::pow(std::log(2.0), 2) * (0.25 + 0.5) + std::pow(std::log(1.5), 2)) / 3.0;
  EXPECT_EQ(gaps[0].above, 0U);
  EXPECT_EQ(gaps[0].below, 4U);
  EXPECT_NEAR(gaps[0].chance, std::exp(-2.0 * two * -aim / (variance * 4.0)), 1e-12);
  EXPECT_NEAR(gaps[0].log_lambda, -4.0 * two / (two - aim), 1e-12);
  EXPECT_EQ(gaps[1].above, 4U);
  EXPECT_EQ(gaps[1].below, 6U);
  EXPECT_NEAR(gaps[1].chance, std::exp(-2.0 * two * -aim / (variance * 2.0)), 1e-12);
}

// Wider gaps and smaller values at their ends are likelier to hide a better one; in an even curve none does.
TEST(Gaps, AreLikelierWhereTheyAreWideAndLow) {
  const auto wide = gaps_of_path(path_with({1.2, {}, {}, {}, {}, 1.2, {}, 1.2, 1.0}));
  EXPECT_GT(wide[0].chance, wide[1].chance);
  const auto low = gaps_of_path(path_with({1.1, {}, 1.1, 3.0, {}, 3.0, 1.0}));
  EXPECT_GT(low[0].chance, low[1].chance);
  EXPECT_EQ(gaps_of_path(path_with({1.0, {}, 1.0}))[0].chance, 0.0);
}

// Where larger is better, by what is missing to one.
TEST(Gaps, TurnMetricsOfWhichMoreIsBetter) {
  const auto loss = gaps_of_path(path_with({0.4, {}, {}, 0.1, {}, 0.3}));
  const auto gain = gaps_of_path(path_with({0.6, {}, {}, 0.9, {}, 0.7}, Metric::r2));
  ASSERT_EQ(loss.size(), gain.size());
  for (std::size_t g = 0; g < loss.size(); ++g) EXPECT_NEAR(loss[g].chance, gain[g].chance, 1e-12);
}

// Beyond all that is known, by the reflection principle; two known values do not say enough.
TEST(Chance, FallsOffBeyondWhatIsKnown) {
  const TuneResult result = path_with({{}, {}, 2.0, 1.0, 1.5});
  const double variance = (std::pow(std::log(2.0), 2) + std::pow(std::log(1.5), 2)) / 2.0;
  const double above = std::log(2.0 * 1.05);
  EXPECT_NEAR(chance_of_better(result, 1), std::erfc(above / std::sqrt(2.0 * variance)), 1e-12);
  EXPECT_GT(chance_of_better(result, 0), chance_of_better(result, 1));
  EXPECT_EQ(chance_of_better(path_with({{}, {}, 2.0, 1.0, {}}), 0), 1.0);
  TuneResult mirrored = path_with({1.5, 1.0, 2.0, {}, {}});
  EXPECT_NEAR(chance_of_better(mirrored, 3), chance_of_better(result, 1), 1e-12);
  mirrored.path[4].fit.lambda = 0.0;
  EXPECT_EQ(chance_of_better(mirrored, 4), 1.0) << "no end of log lambda";
}

// Between two known values it is that of their gap; in an even curve there is none.
TEST(Chance, IsThatOfTheGapBetweenKnownValues) {
  const TuneResult result = path_with({2.0, {}, {}, {}, 1.0, {}, 2.0, 3.0});
  const auto gaps = gaps_of_path(result);
  for (const std::size_t k : {1U, 2U, 3U}) EXPECT_EQ(chance_of_better(result, k), gaps[0].chance) << k;
  EXPECT_EQ(chance_of_better(result, 5), gaps[1].chance);
  EXPECT_EQ(chance_of_better(path_with({1.0, 1.0, {}, 1.0, {}}), 2), 0.0);
  EXPECT_EQ(chance_of_better(path_with({1.0, 1.0, {}, 1.0, {}}), 4), 0.0);
}

// A sample whose error is large is not known, and neither is anything at lambda zero.
TEST(Gaps, LieBetweenWhatIsKnownWell) {
  TuneResult result = path_with({2.0, {}, 1.0, {}, 2.0});
  result.risk[0].estimate[2].kind = EstimateKind::sampled;
  result.risk[0].estimate[2].error = 0.3;
  ASSERT_EQ(gaps_of_path(result).size(), 1U);
  EXPECT_EQ(gaps_of_path(result)[0].below, 4U);
  result.path[4].fit.lambda = 0.0;
  EXPECT_TRUE(gaps_of_path(result).empty());
}

}  // namespace
}  // namespace alo
