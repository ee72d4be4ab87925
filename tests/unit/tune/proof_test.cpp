// SPDX-License-Identifier: MIT
// Exact leave-one-out at the chosen lambdas, and what the verdict makes of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/tune.hpp"
#include "messages.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"
#include "tune/verdict.hpp"

namespace alo {
namespace {

using testing_support::medium_problem;
using testing_support::RandomProblem;
using testing_support::says;

LeaveOneOut exact_at(const Problem& problem, const Fit& fit) {
  return exact_leave_one_out(problem, std::span(&fit, 1), testing_support::all_rows(problem)).values[0];
}

void expect_proved(const Problem& problem, const TuneOptions& options, const Selected& selected) {
  const LeaveOneOut exact = exact_at(problem, selected.point.fit);
  const std::vector<Metric> metrics = options.metrics.empty() ? std::vector{Metric::mse} : options.metrics;
  ASSERT_EQ(selected.exact.size(), metrics.size());
  // Rounding: BLAS may have another number of threads inside tune().
  EXPECT_LT((selected.point.rows->exact - exact.linear_predictor).cwiseAbs().maxCoeff(), 1e-11);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Estimate expected = estimate_risk(problem, metrics[m], exact);
    EXPECT_NEAR(*selected.exact[m].mean, *expected.mean, 1e-11);
    EXPECT_NEAR(*selected.exact[m].se, *expected.se, 1e-11);
  }
}

TEST(Proof, IsExactLeaveOneOutAtBothChoices) {
  TuneOptions options;
  options.metrics = {Metric::mse, Metric::mae, Metric::r2};
  for (const Search search : {Search::grid, Search::exact}) {
    options.search = search;
    const Problem problem = medium_problem().problem();
    const TuneResult result = tune(problem, options);
    ASSERT_NE(result.minimum->choice.lambda, result.one_se->choice.lambda);
    expect_proved(problem, options, *result.minimum);
    expect_proved(problem, options, *result.one_se);
    EXPECT_GT(result.timing.exact_s, 0.0);
    EXPECT_TRUE(result.risk[0].exact.empty());
    EXPECT_TRUE(result.complete);
  }
}

TEST(Proof, IsLeftOutWhereItIsNotWanted) {
  TuneOptions options;
  options.prove = Prove::never;
  const TuneResult result = tune(medium_problem().problem(), options);
  EXPECT_TRUE(result.minimum->exact.empty());
  EXPECT_EQ(result.minimum->point.rows->exact.size(), 0);
  EXPECT_EQ(result.timing.exact_s, 0.0);
}

// A ridge needs none, and one row after another walking out of a fit is more work than two fits.
TEST(Proof, IsLeftOutWhereItIsOfNoUseOrExpensiveUnlessAskedFor) {
  RandomProblem ridge = medium_problem();
  ridge.penalty = "ridge";
  RandomProblem wide = medium_problem();
  wide.rows = 100;
  wide.columns = 60;
  for (const RandomProblem& p : {ridge, wide}) {
    const Problem problem = p.problem();
    TuneOptions options;
    options.lambdas = {0.5 * lambda_start(problem), 0.4 * lambda_start(problem)};
    EXPECT_TRUE(tune(problem, options).minimum->exact.empty());
    options.prove = Prove::always;
    expect_proved(problem, options, *tune(problem, options).minimum);
  }
}

// The choice of the rule comes first.
TEST(Proof, BothChoicesTogetherCostLessThanThePath) {
  const Problem problem = medium_problem().problem();
  const TuneResult whole = tune(problem);
  const double smallest = whole.minimum->choice.lambda;
  TuneOptions options;  // a short path between the choices of a long one
  options.lambdas = {whole.one_se->choice.lambda, 1.02 * smallest, 1.01 * smallest, smallest};
  for (const Rule rule : {Rule::minimum, Rule::one_se}) {
    options.rule = rule;
    const TuneResult result = tune(problem, options);
    std::vector<Index> nonzero;
    for (const PathPoint& point : result.path) nonzero.push_back(point.nonzero);
    const double path = route(problem).path_flops(problem, nonzero);
    const double minimum = route(problem).exact_flops(problem, result.minimum->point.nonzero, problem.rows());
    const double one_se = route(problem).exact_flops(problem, result.one_se->point.nonzero, problem.rows());
    ASSERT_NE(result.minimum->choice.lambda, result.one_se->choice.lambda);
    ASSERT_LT(std::max(minimum, one_se), path);
    ASSERT_GT(minimum + one_se, path);
    EXPECT_EQ(result.minimum->exact.empty(), rule == Rule::one_se);
    EXPECT_EQ(result.one_se->exact.empty(), rule == Rule::minimum);
  }
}

TEST(Proof, OneChoiceForBothRulesIsProvedOnce) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.lambdas = {0.1 * lambda_start(problem)};
  options.prove = Prove::always;
  Index reported = 0;
  Monitor monitor;
  monitor.progress = [&](std::string_view stage, double, double) {
    reported += stage == "exact leave-one-out";
  };
  const TuneResult result = tune(problem, options, monitor);
  EXPECT_EQ(reported, 1) << "40 rows are one report";
  expect_proved(problem, options, *result.minimum);
  expect_proved(problem, options, *result.one_se);
}

TEST(Proof, TakesTheValuesOfAnExactCurve) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.exact = true;
  options.prove = Prove::never;
  options.keep_rows = true;
  const TuneResult result = tune(problem, options);
  const auto at = static_cast<std::size_t>(*result.minimum->choice.index);
  EXPECT_EQ(result.minimum->exact.at(0).mean, result.risk[0].exact[at].mean);
  EXPECT_EQ(result.minimum->point.rows->exact, result.path[at].rows->exact);
}

TEST(Proof, IsNotReportedWhenStopped) {
  RandomProblem p = medium_problem();
  p.rows = 200;  // more than are walked between two questions
  bool stop = false;
  Monitor monitor;
  monitor.progress = [&](std::string_view stage, double, double) { stop = stage == "exact leave-one-out"; };
  monitor.should_stop = [&] { return stop; };
  const TuneResult result = tune(p.problem(), {}, monitor);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.path.size(), result.risk[0].alo.size());
  EXPECT_TRUE(result.minimum->exact.empty());
  EXPECT_TRUE(result.one_se->exact.empty());
  EXPECT_THAT(result.warnings, testing::Contains(says("was stopped")));
}

TEST(Proof, DifferenceIsAShareOfTheApproximateError) {
  Selected selected;
  EXPECT_FALSE(exact_difference(Metric::mse, selected).has_value());
  selected.choice.risk.mean = 0.6;
  selected.exact = {{0.5, std::nullopt, 0}};
  EXPECT_NEAR(*exact_difference(Metric::mse, selected), 0.1 / 0.6, 1e-12);
  EXPECT_NEAR(*exact_difference(Metric::r2, selected), 0.1 / 0.4, 1e-12);
  selected.exact[0].mean.reset();
  EXPECT_FALSE(exact_difference(Metric::mse, selected).has_value());
}

TEST(Verdict, NamesAnExactRiskThatIsFarAway) {
  TuneResult result = tune(medium_problem().problem());
  const double risk = *result.minimum->choice.risk.mean;
  for (const double factor : {0.91, 1.0, 1.09}) {
    result.minimum->exact[0].mean = factor * risk;
    EXPECT_TRUE(judge(result).reliable) << factor;
  }
  result.one_se->exact[0].mean = 2.0 * risk;  // not the lambda that was chosen
  EXPECT_TRUE(judge(result).reliable);
  for (const double factor : {0.89, 1.11}) {
    result.minimum->exact[0].mean = factor * risk;
    const Verdict verdict = judge(result);
    EXPECT_FALSE(verdict.reliable);
    EXPECT_THAT(verdict.reasons,
                testing::ElementsAre(testing::AllOf(says(fmt::format("{:.5g}", factor * risk)),
                                                    says(fmt::format("{:.5g}", risk)))));
  }
}

TEST(Verdict, HighLeverageStaysAReasonBesideAnExactRiskThatAgrees) {
  TuneResult result = tune(medium_problem().problem());
  result.minimum->exact[0] = result.minimum->choice.risk;
  result.minimum->point.rows->leverage[3] = 0.95;
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("leverage is 0.950")));
}

// Counts of a path of so many lambdas, on which more coefficients enter at its beginning than at its end.
std::vector<Index> rising(Index lambdas, Index last) {
  std::vector<Index> nonzero;
  for (Index k = 1; k <= lambdas; ++k) {
    const double share = std::sqrt(static_cast<double>(k) / static_cast<double>(lambdas));
    nonzero.push_back(std::lround(share * static_cast<double>(last)));
  }
  return nonzero;
}

TEST(Cost, FollowsTheSizes) {
  const Problem problem = medium_problem().problem();
  EXPECT_LT(route(problem).exact_flops(problem, 3, problem.rows()),
            route(problem).exact_flops(problem, 12, problem.rows()));
  EXPECT_LT(route(problem).path_flops(problem, rising(10, 3)),
            route(problem).path_flops(problem, rising(100, 3)));
  EXPECT_LT(route(problem).exact_flops(problem, 12, problem.rows()),
            route(problem).path_flops(problem, rising(100, 12)));
  const Problem long_one(make_dataset(Design(SparseMatrix(1'000'000, 2)), Vector::LinSpaced(1'000'000, 0, 1)),
                         problem.loss(), problem.penalty(), {true, false});
  EXPECT_GT(route(long_one).exact_flops(long_one, 2, long_one.rows()),
            route(long_one).path_flops(long_one, rising(1, 2)));
  const Problem wide(make_dataset(Design(SparseMatrix(300, 5000)), Vector::LinSpaced(300, 0, 1)),
                     problem.loss(), problem.penalty(), {true, false});
  EXPECT_LT(route(wide).exact_flops(wide, 20, wide.rows()), route(wide).path_flops(wide, rising(100, 280)));
  EXPECT_GT(route(wide).exact_flops(wide, 280, wide.rows()), route(wide).path_flops(wide, rising(100, 280)))
      << "nearly as many as rows";
  RandomProblem ridge = medium_problem();
  ridge.penalty = "ridge";
  const Problem quadratic = ridge.problem();
  EXPECT_TRUE(std::isfinite(route(quadratic).exact_flops(quadratic, 3, quadratic.rows())));
}

// Exact leave-one-out at one lambda over the path of 100, in CPU time.
struct Measured {
  const char* loss;
  int classes;
  Index rows;
  Index columns;
  Index last;
  Index nonzero;
  double ratio;
};

class MeasuredCost : public testing::TestWithParam<Measured> {};

TEST_P(MeasuredCost, IsOnTheSameSideOfThePath) {
  const Measured& m = GetParam();
  Vector response(m.rows);
  for (Index i = 0; i < m.rows; ++i) {
    const auto label = static_cast<double>(i % std::max(m.classes, 2));
    response[i] = m.classes == 2 ? 2.0 * label - 1.0 : label;
  }
  ModelParameters parameters;
  if (m.classes > 2) parameters.classes = m.classes;
  const Problem problem(make_dataset(Design(Matrix::Zero(m.rows, m.columns)), response),
                        make_loss(m.loss, parameters), make_penalty("lasso", {}), {true, false});
  const double ratio = route(problem).exact_flops(problem, m.nonzero, problem.rows()) /
                       route(problem).path_flops(problem, rising(100, m.last));
  EXPECT_EQ(ratio < 1.0, m.ratio < 1.0) << ratio;
  EXPECT_NEAR(std::log(ratio / m.ratio), 0.0, std::log(2.0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, MeasuredCost,
                         testing::Values(Measured{"squared", 1, 5000, 500, 499, 66, 0.41},
                                         Measured{"squared", 1, 300, 1000, 260, 93, 0.46},
                                         Measured{"squared", 1, 20000, 50, 50, 34, 0.25},
                                         Measured{"logistic", 2, 5000, 500, 499, 71, 2.8},
                                         Measured{"logistic", 2, 500, 5000, 357, 163, 2.0},
                                         Measured{"logistic", 2, 2000, 200, 200, 17, 1.6},
                                         Measured{"multinomial", 5, 2000, 300, 1151, 366, 0.75}));

}  // namespace
}  // namespace alo
