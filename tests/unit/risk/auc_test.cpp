// SPDX-License-Identifier: MIT
#include "risk/auc.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "seed.hpp"

namespace alo {
namespace {

using testing_support::varied;

struct Scored {
  Vector scores, response, weights;
};

// Scores on a coarse grid, so that there are ties.
Scored random_scores(unsigned seed, Index rows, bool counts) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Scored result{Vector(rows), Vector(rows), Vector::Ones(rows)};
  for (Index i = 0; i < rows; ++i) {
    result.response[i] = i % 3 == 0 ? 1.0 : -1.0;
    result.scores[i] = std::round(2.0 * (normal(generator) + 0.4 * result.response[i])) / 2.0;
    if (counts) result.weights[i] = 1.0 + static_cast<double>(generator() % 3);
  }
  return result;
}

// DeLong's estimate from its definition, over all pairs of unweighted rows.
Estimate by_pairs(const Vector& scores, const Vector& response) {
  std::vector<double> positive;
  std::vector<double> negative;
  for (Index i = 0; i < scores.size(); ++i) (response[i] > 0.0 ? positive : negative).push_back(scores[i]);
  const auto ahead = [](double x, double y) { return x > y ? 1.0 : (x == y ? 0.5 : 0.0); };
  Vector over(static_cast<Index>(positive.size()));
  Vector under(static_cast<Index>(negative.size()));
  over.setZero();
  under.setZero();
  for (Index i = 0; i < over.size(); ++i) {
    for (Index j = 0; j < under.size(); ++j) {
      const double won = ahead(positive[static_cast<std::size_t>(i)], negative[static_cast<std::size_t>(j)]);
      over[i] += won / static_cast<double>(under.size());
      under[j] += won / static_cast<double>(over.size());
    }
  }
  const auto share = [](const Vector& values) {
    const auto n = static_cast<double>(values.size());
    return (values.array() - values.mean()).square().sum() / (n - 1.0) / n;
  };
  return {over.mean(), std::sqrt(share(over) + share(under)), 0};
}

TEST(AreaUnderCurve, AgreesWithAllPairs) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Scored given = random_scores(varied(seed), 40, false);
    const Estimate expected = by_pairs(given.scores, given.response);
    const Estimate estimate = area_under_curve(given.scores, given.response, given.weights, true);
    EXPECT_NEAR(*estimate.mean, *expected.mean, 1e-14);
    EXPECT_NEAR(*estimate.se, *expected.se, 1e-14);
  }
}

TEST(AreaUnderCurve, CountsAreRepeatedRows) {
  const Scored given = random_scores(varied(3), 30, true);
  std::vector<Index> copies;
  for (Index i = 0; i < 30; ++i) copies.insert(copies.end(), static_cast<std::size_t>(given.weights[i]), i);
  const Estimate expected = by_pairs(given.scores(copies), given.response(copies));
  const Estimate estimate = area_under_curve(given.scores, given.response, given.weights, true);
  EXPECT_NEAR(*estimate.mean, *expected.mean, 1e-14);
  EXPECT_NEAR(*estimate.se, *expected.se, 1e-14);
}

TEST(AreaUnderCurve, ImportanceWeightsCountByTheirProducts) {
  // Pairs (3, 1), (3, 2), (0, 1), (0, 2) with weights 2 * 1, 2 * 3, 5 * 1, 5 * 3: the first two are won.
  const Vector scores{{3.0, 1.0, 0.0, 2.0}};
  const Vector response{{1.0, -1.0, 1.0, -1.0}};
  const Vector weights{{2.0, 1.0, 5.0, 3.0}};
  const Estimate estimate = area_under_curve(scores, response, weights, false);
  EXPECT_DOUBLE_EQ(*estimate.mean, 8.0 / 28.0);
  // V is 1 and 0 in the rows of +1, and 2/7 in both others.
  EXPECT_NEAR(*estimate.se, std::sqrt(std::pow(2.0 * 5.0 / 7.0, 2) + std::pow(5.0 * 2.0 / 7.0, 2)) / 7.0,
              1e-15);
}

TEST(AreaUnderCurve, NeedsBothClassesAndTwoRowsOfEachForItsError) {
  EXPECT_FALSE(area_under_curve(Vector{{1.0, 2.0}}, Vector{{1.0, 1.0}}, Vector::Ones(2), true).mean);
  const Estimate one =
      area_under_curve(Vector{{1.0, 2.0, 0.0}}, Vector{{1.0, -1.0, -1.0}}, Vector::Ones(3), true);
  EXPECT_DOUBLE_EQ(*one.mean, 0.5);
  EXPECT_FALSE(one.se.has_value());
}

// Over many samples the standard error is the spread of the estimate.
TEST(AreaUnderCurve, StandardErrorIsTheSpreadOverSamples) {
  const int samples = 400;
  double sum = 0.0;
  double squares = 0.0;
  double variances = 0.0;
  for (unsigned seed = 1; seed <= samples; ++seed) {
    const Scored given = random_scores(seed, 90, false);
    const Estimate estimate = area_under_curve(given.scores, given.response, given.weights, true);
    sum += *estimate.mean;
    squares += *estimate.mean * *estimate.mean;
    variances += *estimate.se * *estimate.se / samples;
  }
  const double spread = std::sqrt(squares / samples - std::pow(sum / samples, 2));
  // A standard deviation from 400 samples is good to 4 %.
  EXPECT_NEAR(std::sqrt(variances) / spread, 1.0, 0.12);
}

}  // namespace
}  // namespace alo
