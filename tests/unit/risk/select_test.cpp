// SPDX-License-Identifier: MIT
#include "alo/select.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace alo {
namespace {

const std::vector<double> lambdas = {5.0, 4.0, 3.0, 2.0, 1.0};

std::vector<Estimate> curve(const std::vector<std::optional<double>>& means, double se) {
  std::vector<Estimate> result;
  for (const auto& mean : means) result.push_back({mean, se, mean ? 0 : 1});
  return result;
}

TEST(ChooseOnGrid, MinimumAndOneStandardError) {
  const auto choices = choose_on_grid(Metric::mse, lambdas, curve({9.0, 4.0, 3.2, 3.0, 3.5}, 1.0));
  EXPECT_EQ(choices->minimum.lambda, 2.0);
  EXPECT_EQ(choices->one_se.lambda, 4.0);
  EXPECT_EQ(choices->minimum.index, 3);
}

TEST(ChooseOnGrid, LargerIsBetterIsTurnedAround) {
  const auto choices = choose_on_grid(Metric::r2, lambdas, curve({0.1, 0.55, 0.6, 0.62, 0.3}, 0.1));
  EXPECT_EQ(choices->minimum.lambda, 2.0);
  EXPECT_EQ(choices->one_se.lambda, 4.0);
}

TEST(ChooseOnGrid, OfEqualRisksTheLargerLambda) {
  EXPECT_EQ(choose_on_grid(Metric::mse, lambdas, curve({4.0, 3.0, 3.0, 3.0, 4.0}, 0.0))->minimum.lambda, 4.0);
  const double below = 3.0 - 4e-16;  // by rounding
  EXPECT_EQ(choose_on_grid(Metric::mse, lambdas, curve({4.0, 3.0, 3.0, below, 4.0}, 0.0))->minimum.lambda,
            4.0);
}

// Shares of errors tie at many lambdas; the loss tells them apart, and then the larger lambda is taken.
TEST(ChooseOnGrid, TiesAreBrokenByAnotherMetric) {
  const std::vector<Estimate> errors = curve({0.3, 0.1, 0.1, 0.1, 0.2}, 0.0);
  const auto chosen = [&](const std::vector<std::optional<double>>& own, Metric metric = Metric::deviance) {
    const std::vector<Estimate> ties = curve(own, 0.0);
    return choose_on_grid(Metric::misclassification, lambdas, errors, {metric, ties})->minimum.lambda;
  };
  EXPECT_EQ(chosen({0.0, 0.9, 0.7, 0.5, 0.0}), 2.0);  // the better ones are no candidates
  EXPECT_EQ(chosen({0.0, 0.9, 0.7, 0.7, 0.0}), 3.0);
  EXPECT_EQ(chosen({0.0, 0.5, 0.7, 0.9, 0.0}, Metric::auc), 2.0);
  EXPECT_EQ(chosen({0.0, std::nullopt, 0.7, 0.9, 0.0}), 3.0);
  EXPECT_EQ(chosen({0.0, std::nullopt, std::nullopt, std::nullopt, 0.0}), 4.0);
}

TEST(ChooseOnGrid, UndefinedLambdasCannotBeChosen) {
  const auto choices =
      choose_on_grid(Metric::mse, lambdas, curve({std::nullopt, 4.0, 3.2, std::nullopt, 3.5}, 9.0));
  EXPECT_EQ(choices->minimum.lambda, 3.0);
  EXPECT_EQ(choices->one_se.lambda, 4.0);
  EXPECT_FALSE(choose_on_grid(Metric::mse, {1.0}, curve({std::nullopt}, 1.0)).has_value());
}

RC_GTEST_PROP(ChooseOnGrid, OneSeIsNeverLessRegularisedThanTheMinimum, ()) {
  const auto means =
      *rc::gen::container<std::vector<double>>(*rc::gen::inRange(1, 30), rc::gen::positive<double>());
  const double se = *rc::gen::positive<double>();
  std::vector<Estimate> risk;
  std::vector<double> grid;
  for (std::size_t k = 0; k < means.size(); ++k) {
    risk.push_back({means[k], se, 0});
    grid.push_back(static_cast<double>(means.size() - k));
  }
  for (const Metric metric : {Metric::mse, Metric::r2}) {
    const auto choices = choose_on_grid(metric, grid, risk);
    RC_ASSERT(choices->one_se.lambda >= choices->minimum.lambda);
  }
}

}  // namespace
}  // namespace alo
