// SPDX-License-Identifier: MIT
#include "alo/tune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "alo/error.hpp"
#include "messages.hpp"
#include "random_problem.hpp"
#include "tune/verdict.hpp"

namespace alo {
namespace {

using testing_support::hints_at;
using testing_support::medium_problem;
using testing_support::RandomProblem;
using testing_support::says;

// Of a result that ends with the statement the choice is a copy.
static_assert(std::is_same_v<decltype(std::declval<TuneResult>().chosen()), std::optional<Selected>>);
static_assert(std::is_reference_v<decltype(std::declval<const TuneResult&>().chosen())>);

TEST(Tune, CurveIsMadeOfTheRowValues) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.keep_rows = true;
  options.exact = true;
  options.folds = 5;
  options.metrics = {Metric::mse, Metric::mae};
  const TuneResult result = tune(problem, options);
  ASSERT_EQ(result.risk.size(), 2U);
  for (std::size_t k = 0; k < result.path.size(); ++k) {
    const RowValues& rows = *result.path[k].rows;
    const Vector residual = problem.data().response - rows.alo;
    if (!result.risk[0].alo[k].mean) continue;
    EXPECT_DOUBLE_EQ(*result.risk[0].alo[k].mean, residual.squaredNorm() / 40.0);
    EXPECT_DOUBLE_EQ(*result.risk[1].alo[k].mean, residual.lpNorm<1>() / 40.0);
    EXPECT_NEAR(*result.risk[0].exact[k].mean, (problem.data().response - rows.exact).squaredNorm() / 40.0,
                1e-12);
    EXPECT_NEAR(result.path[k].degrees_of_freedom, rows.leverage.sum(), 1e-12);
  }
  EXPECT_EQ(result.risk[0].kfold.size(), result.path.size());
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.certified);
  EXPECT_GE(result.one_se->choice.lambda, result.minimum->choice.lambda);
}

// Nobody sees them unless the rows are asked for, and of large data they take longer than the path.
TEST(Tune, CertificatesOfManyRowsAreForThoseWhoAsk) {
  RandomProblem p;
  p.rows = 1000;
  p.columns = 3000;
  const Problem large = p.problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.lambdas = {0.03 * lambda_start(large)};
  EXPECT_TRUE(tune(large, options).minimum->point.rows->certified.empty());
  options.keep_rows = true;
  EXPECT_EQ(tune(large, options).minimum->point.rows->certified.size(), 1000U);
  const Problem small = medium_problem().problem();
  EXPECT_EQ(tune(small).minimum->point.rows->certified.size(), static_cast<std::size_t>(small.rows()));
}

// With more columns than rows they cost as much again as the fit, and take less memory than coefficients.
TEST(Tune, LeveragesOfFewRowsAreNotComputedTwice) {
  for (const Index columns : {12, 60}) {
    RandomProblem p = medium_problem();
    p.penalty = "ridge";
    p.columns = columns;
    const TuneResult result = tune(p.problem());
    EXPECT_EQ(result.path[0].fit.hat.size() > 0, columns == 60);
    const auto& chosen = *result.minimum;
    EXPECT_NEAR(chosen.point.rows->leverage.sum(), chosen.point.degrees_of_freedom, 1e-12);
  }
}

TEST(Tune, GeneratedGridGoesOnWhenItsEndIsBest) {
  RandomProblem p = medium_problem();
  p.columns = 4;
  const Problem problem = p.problem();
  TuneOptions options;
  options.grid = {.count = 20, .ratio = 0.5};  // far too short
  const TuneResult result = tune(problem, options);
  EXPECT_GT(result.path.size(), 20U);
  EXPECT_LE(result.path.size(), 40U);
  EXPECT_THAT(result.warnings, testing::Contains(says("were added")));
  const double spacing = result.path[1].fit.lambda / result.path[0].fit.lambda;
  EXPECT_NEAR(result.path[21].fit.lambda / result.path[20].fit.lambda, spacing, 1e-12);
}

TEST(Tune, ExplicitLambdasAreOnlyWarnedAbout) {
  RandomProblem p = medium_problem();
  p.columns = 4;
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  TuneOptions options;
  options.lambdas = {0.5 * start, 0.9 * start, 0.7 * start};
  const TuneResult result = tune(problem, options);
  ASSERT_EQ(result.path.size(), 3U);
  EXPECT_DOUBLE_EQ(result.path[0].fit.lambda, 0.9 * start);
  EXPECT_THAT(result.warnings, testing::Contains(says("smallest lambda")));
  options.search = Search::exact;
  EXPECT_THAT(tune(problem, options).warnings, testing::Contains(says("smallest lambda")));
}

// The curve between the grid's values is that of the formula, whatever stands beside it.
TEST(Tune, OnlyTheFormulaSearchesBetweenTheGridsValues) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.search = Search::exact;
  options.exact = true;
  EXPECT_EQ(tune(problem, options).chosen_by, ChooseBy::alo);
  for (const ChooseBy choose : {ChooseBy::exact, ChooseBy::kfold}) {
    options.choose = choose;
    EXPECT_THROW(tune(problem, options), InvalidArgument);
  }
  options.choose = ChooseBy::automatic;
  options.rule = Rule::one_se_paired;
  EXPECT_THROW(tune(problem, options), InvalidArgument);
}

TEST(Tune, SaysWhenTheNullModelWins) {
  RandomProblem p = medium_problem();
  Dataset data = p.dataset();
  std::mt19937 generator(9);
  std::normal_distribution<double> normal;
  data.response = Vector::NullaryExpr(40, [&] { return normal(generator); });
  const Problem problem = p.problem(std::move(data));
  const TuneResult result = tune(problem);
  ASSERT_EQ(result.minimum->choice.index, 0);
  EXPECT_THAT(result.warnings, testing::Contains(says("null model wins")));
  TuneOptions options;
  options.search = Search::exact;
  EXPECT_THAT(tune(problem, options).warnings, testing::Contains(says("null model wins")));
}

TEST(Tune, KeepsWhatIsFinishedWhenStopped) {
  const Problem problem = medium_problem().problem();
  int asked = 0;
  Monitor monitor;
  monitor.should_stop = [&] { return ++asked > 5; };
  const TuneResult result = tune(problem, {}, monitor);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.path.size(), 5U);
  EXPECT_TRUE(result.minimum.has_value());
}

// Weights that count rows, and the rows themselves, choose the same: the risk falls to the end of the grid
// here, and the fit of the rows that differ comes to interpolate them, but not of all their copies.
TEST(Tune, CountsChooseAsRepeatedRows) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform;
  const Matrix x = Matrix::NullaryExpr(15, 30, [&] { return uniform(generator); });
  const Vector y = Vector::NullaryExpr(15, [&] { return static_cast<double>(generator() % 3); });
  Dataset counted = make_dataset(Design(x), y);
  counted.weight_kind = WeightKind::frequency;
  std::vector<Index> copies;
  for (Index i = 0; i < 15; ++i) {
    counted.weights[i] = static_cast<double>(generator() % 4);
    copies.insert(copies.end(), static_cast<std::size_t>(counted.weights[i]), i);
  }
  const Dataset repeated = make_dataset(Design(Matrix(x(copies, Eigen::all))), Vector(y(copies)));
  const TuneResult a = tune(Problem(counted, make_loss("squared"), make_penalty("lasso")));
  const TuneResult b = tune(Problem(repeated, make_loss("squared"), make_penalty("lasso")));
  ASSERT_EQ(a.path.size(), b.path.size());
  EXPECT_NEAR(a.path.back().fit.lambda, b.path.back().fit.lambda, 1e-12 * b.path.back().fit.lambda);
  EXPECT_NEAR(a.chosen()->choice.lambda, b.chosen()->choice.lambda, 1e-12 * b.chosen()->choice.lambda);
  EXPECT_NEAR(*a.chosen()->choice.risk.mean, *b.chosen()->choice.risk.mean, 1e-9);
}

TEST(Tune, ExactSearchIsNoWorseThanTheGrid) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  const TuneResult grid = tune(problem, options);
  options.search = Search::exact;
  const TuneResult exact = tune(problem, options);
  EXPECT_FALSE(exact.minimum->choice.index.has_value());
  EXPECT_LE(*exact.minimum->choice.risk.mean, *grid.minimum->choice.risk.mean * (1.0 + 1e-9));
  EXPECT_EQ(exact.minimum->point.fit.lambda, exact.minimum->choice.lambda);
}

// A row that alone knows a column has leverage one once that column is active.
TEST(Tune, RepairSettlesUndefinedRows) {
  RandomProblem p = medium_problem();
  p.standardize = false;
  Dataset data = p.dataset();
  Matrix x = data.design.dense_values();
  x.col(11).setZero();
  x(6, 11) = 5.0;
  data.design = Design(x);
  data.response[6] += 100.0;
  TuneOptions options;
  options.keep_rows = true;
  const Problem problem = p.problem(std::move(data));
  const TuneResult plain = tune(problem, options);
  options.repair = Repair::exact;
  const TuneResult repaired = tune(problem, options);
  EXPECT_EQ(plain.risk[0].alo.back().undefined, 1);
  EXPECT_FALSE(plain.risk[0].alo.back().mean.has_value());
  EXPECT_EQ(repaired.risk[0].alo.back().undefined, 0);
  EXPECT_EQ(repaired.path.back().rows->flags[6], RowFlag::repaired);
  EXPECT_TRUE(std::isfinite(repaired.path.back().rows->alo[6]));
  options.choose = ChooseBy::alo;
  options.lambdas = {repaired.path.back().fit.lambda};
  const TuneResult chosen = tune(problem, options);
  EXPECT_EQ(chosen.minimum->point.rows->flags[6], RowFlag::repaired);
  EXPECT_EQ(chosen.minimum->alo[0].undefined, 0);
}

// Where the smaller lambdas cannot be chosen for want of a prediction, the choice is only the last that
// could.
TEST(Tune, SaysWhenUndefinedRowsCutTheChoiceShort) {
  TuneOptions options;
  options.choose = ChooseBy::alo;
  TuneResult result = tune(medium_problem().problem(), options);
  result.minimum->choice.index = 0;
  const auto is_said = testing::Contains(testing::AllOf(
      says("3 rows have no leave-one-out prediction, so smaller"), hints_at(Setting::repair, "exact")));
  EXPECT_THAT(judge(result).reasons, testing::Not(is_said));
  result.risk[0].alo.at(1) = {std::nullopt, std::nullopt, 3};
  EXPECT_THAT(judge(result).reasons, is_said);
  EXPECT_FALSE(judge(result).reliable);
  result.minimum->choice.index = 1;  // with defined ones below it
  EXPECT_THAT(judge(result).reasons, testing::Not(is_said));
}

TEST(Tune, ResultsDoNotDependOnThreads) {
  const Problem problem = medium_problem().problem();
  TuneOptions options;
  options.exact = true;
  options.folds = 4;
  const TuneResult one = tune(problem, options);
  options.threads = 2;
  const TuneResult two = tune(problem, options);
  for (std::size_t k = 0; k < one.path.size(); ++k) {
    const auto near = [&](const Estimate& a, const Estimate& b) {
      EXPECT_NEAR(*a.mean, *b.mean, 1e-12 * *a.mean);
    };
    near(one.risk[0].alo[k], two.risk[0].alo[k]);
    near(one.risk[0].exact[k], two.risk[0].exact[k]);
    near(one.risk[0].kfold[k], two.risk[0].kfold[k]);
  }
}

}  // namespace
}  // namespace alo
