// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "alo/report.hpp"
#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "unit/report/example_result.hpp"

namespace alo {
namespace {

void expect_fits_a_terminal(const std::string& table, int most_lines = 25) {
  std::istringstream stream(table);
  int count = 0;
  for (std::string line; std::getline(stream, line); ++count)
    EXPECT_LE(report::code_points(line), 80U) << line;
  EXPECT_LE(count, most_lines) << table;
}

TEST(ReportTable, FitsATerminalAndMarksTheChoices) {
  for (const std::size_t lambdas : {1U, 2U, 13U, 60U, 400U}) {
    example::ExampleOptions options;
    options.lambdas = lambdas;
    const Problem problem = example::example_problem(options);
    const TuneResult result = example::example_result(problem, options);
    const std::string table = render_table(problem, result, false);
    expect_fits_a_terminal(table);
    if (result.minimum->choice.lambda == result.one_se->choice.lambda) {
      EXPECT_THAT(table, testing::HasSubstr("<- min, 1se"));
    } else {
      EXPECT_THAT(table, testing::HasSubstr("<- min"));
      EXPECT_THAT(table, testing::HasSubstr("<- 1se"));
    }
    EXPECT_THAT(table, testing::HasSubstr("90 rows x 24 columns"));
    EXPECT_THAT(table, testing::Not(testing::HasSubstr("\x1b")));
  }
}

TEST(ReportTable, SaysThatTheChosenRiskIsTheBestOfMany) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  EXPECT_THAT(render_table(problem, result, false), testing::HasSubstr("the best of 60"));
  result.outer = OuterRisk{.folds = 5, .metrics = {Metric::mse}, .risk = {{2.25, 0.5, 0}}};
  EXPECT_THAT(render_table(problem, result, false),
              testing::HasSubstr("Tuned and judged on 5 outer folds: mse 2.25 +- 0.5."));
}

TEST(ReportTable, FitsWithTheWidestNumbers) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  for (PathPoint& point : result.path) {
    point.fit.lambda *= 1e-12;
    point.degrees_of_freedom = 123456.7;
    point.nonzero = 1234567;
  }
  for (auto* values : {&result.risk[0].alo, &result.risk[0].exact, &result.risk[0].kfold}) {
    for (Estimate& estimate : *values) estimate = {-1.23456e-9, 1.234e-10, 0};
  }
  for (std::size_t k = 0; k < result.path.size(); ++k) {
    const auto kind = k % 2 == 0 ? EstimateKind::corrected : EstimateKind::exact;
    result.risk[0].estimate[k] = {{-1.23567e-9, 1.234e-10, 0}, kind, std::nullopt};
  }
  result.minimum->choice.lambda *= 1e-12;
  result.one_se->choice.lambda *= 1e-12;
  expect_fits_a_terminal(render_table(problem, result, false));
}

TEST(ReportTable, ShowsAChoiceBetweenGridValues) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  const auto at = static_cast<std::size_t>(*result.minimum->choice.index);
  const double lambda = 0.5 * (result.path[at].fit.lambda + result.path[at + 1].fit.lambda);
  result.minimum->choice.index = std::nullopt;
  result.minimum->choice.lambda = result.minimum->point.fit.lambda = lambda;
  const std::string table = render_table(problem, result, false);
  expect_fits_a_terminal(table);
  EXPECT_THAT(table, testing::ContainsRegex(report::readable(lambda) + " .*<- min"));
}

TEST(ReportTable, ExactRiskStandsBesideTheApproximationAtTheChoices) {
  example::ExampleOptions options;
  options.exact_curve = options.kfold = false;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  std::string table = render_table(problem, result, false);
  expect_fits_a_terminal(table);
  EXPECT_THAT(table, testing::HasSubstr("exact"));
  for (const Selected& selected : {*result.minimum, *result.one_se}) {
    EXPECT_THAT(table,
                testing::ContainsRegex(report::readable(*selected.exact[0].mean, 5) + " .*<- (min|1se)"));
  }
  EXPECT_THAT(table, testing::HasSubstr("exact leave-one-out gives"));
  result.minimum->choice.index = std::nullopt;  // between grid values
  result.minimum->choice.lambda = result.minimum->point.fit.lambda = 1.01 * result.minimum->choice.lambda;
  EXPECT_THAT(render_table(problem, result, false),
              testing::ContainsRegex(report::readable(*result.minimum->exact[0].mean, 5) + " .*<- min"));
  options.exact = false;
  EXPECT_THAT(render_table(problem, example::example_result(problem, options), false),
              testing::Not(testing::HasSubstr("exact")));
}

TEST(ReportTable, SaysWhatIsUndefinedAndUnreliable) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.risk[0].estimate.back() = {{std::nullopt, std::nullopt, 2}, EstimateKind::alo, std::nullopt};
  result.verdict = {false, {Message("row 7 has leverage 0.97 at the chosen lambda")}};
  result.complete = false;
  const std::string table = render_table(problem, result, false);
  expect_fits_a_terminal(table);
  EXPECT_THAT(table, testing::HasSubstr("undefined"));
  EXPECT_THAT(table, testing::HasSubstr("Do not rely on this choice."));
  EXPECT_THAT(table, testing::HasSubstr("Row 7 has leverage 0.97"));
  EXPECT_THAT(table, testing::HasSubstr("stopped early"));
  result.exact_cost = TuneResult::ExactCost{3.2, 41.0};
  const auto hinting = [](const Message& message) {
    return message.hints.empty() ? message.text : message.text + " [" + message.hints.front().value + "]";
  };
  EXPECT_THAT(render_table(problem, result, false, hinting),
              testing::HasSubstr("would take about 3 s [41]."));
}

TEST(ReportTable, ColoursOnlyWhenAsked) {
  const Problem problem = example::example_problem();
  const TuneResult result = example::example_result(problem);
  EXPECT_THAT(render_table(problem, result, true), testing::HasSubstr("\x1b[1m"));
}

TEST(ReportTable, ThinningKeepsTheMarkedRowsWhereverTheyAre) {
  example::ExampleOptions options;
  options.lambdas = 200;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  for (const Index minimum : {0, 1, 57, 198, 199}) {
    for (const Index one_se : {Index{0}, minimum / 2, minimum}) {
      result.minimum->choice.index = minimum;
      result.one_se->choice.index = one_se;
      const std::vector<std::size_t> shown = report::interesting_points(result, 13);
      EXPECT_LE(shown.size(), 13U);
      EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
      EXPECT_THAT(shown, testing::Contains(static_cast<std::size_t>(minimum)));
      EXPECT_THAT(shown, testing::Contains(static_cast<std::size_t>(one_se)));
      EXPECT_EQ(shown.front(), 0U);
      EXPECT_EQ(shown.back(), 199U);
    }
  }
}

}  // namespace
}  // namespace alo
