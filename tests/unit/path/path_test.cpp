// SPDX-License-Identifier: MIT
#include "alo/path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "alo/error.hpp"
#include "certificate/null_fit.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::RandomProblem;

// A solver keeps a reference to its problem, so one that ends with the statement is refused by the compiler.
static_assert(std::is_constructible_v<PathSolver, const Problem&, FitOptions>);
static_assert(!std::is_constructible_v<PathSolver, Problem>);
static_assert(!std::is_constructible_v<PathSolver, const Problem>);
static_assert(!std::is_constructible_v<PathSolver, Problem, FitOptions>);

TEST(LambdaGrid, FallsFromTheStartByEqualRatios) {
  RandomProblem p;
  const Problem problem = p.problem();
  const std::vector<double> grid = lambda_grid(problem, {.count = 5, .ratio = 1e-4});
  ASSERT_EQ(grid.size(), 5U);
  EXPECT_DOUBLE_EQ(grid[0], lambda_start(problem));
  for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(grid[k] / grid[k - 1], 0.1, 1e-12);
}

TEST(LambdaGrid, DefaultRatioDependsOnTheShape) {
  RandomProblem tall;
  RandomProblem wide;
  wide.columns = 30;
  const auto ratio = [](const std::vector<double>& grid) { return grid.back() / grid.front(); };
  EXPECT_NEAR(ratio(lambda_grid(tall.problem())), 1e-4, 1e-12);
  EXPECT_NEAR(ratio(lambda_grid(wide.problem())), 1e-2, 1e-12);
}

TEST(LambdaStart, IsTheSmallestLambdaOfTheNullFit) {
  for (const char* penalty : {"lasso", "elastic-net"}) {
    RandomProblem p;
    p.penalty = penalty;
    p.weights = true;
    p.offset = true;
    const Problem problem = p.problem();
    const double start = lambda_start(problem);
    const Path path = fit_path(problem, {start, start * (1 - 1e-6)});
    EXPECT_EQ((path.fits[0].coefficients.array() != 0.0).count(), 0);
    EXPECT_EQ((path.fits[1].coefficients.array() != 0.0).count(), 1);
  }
}

TEST(LambdaStart, RidgeExplainsOneThousandth) {
  RandomProblem p;
  p.penalty = "ridge";
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {lambda_start(problem)}).fits[0];
  const Vector& y = problem.data().response;
  const double null = (y.array() - y.mean()).square().sum();
  const double explained = 1.0 - (y - fit.linear_predictor).squaredNorm() / null;
  EXPECT_NEAR(explained, 1e-3, 1e-9);
}

// A column that says next to nothing of the classes: no fit explains a thousandth, and those at 1e-12 of the
// first lambda are rounding.
TEST(LambdaStart, RidgeExplainsHalfOfTheLittleThatItCan) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "ridge";
  p.seed = 19495;
  p.rows = 6;
  p.columns = 1;
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  const std::vector<Fit> fits = fit_path(problem, {start, 1e-3 * start}).fits;
  EXPECT_EQ(fits[0].status, FitStatus::converged);
  EXPECT_LT(1.0 - fits[1].unexplained, 1e-3);
  EXPECT_NEAR((1.0 - fits[0].unexplained) / (1.0 - fits[1].unexplained), 0.5, 1e-3);
}

// Columns without penalty put every row past the margin: what rounding leaves of the loss
// (1e-306 in two of these) is no measure.
TEST(LambdaStart, IsOneWhereNothingIsLeftToExplain) {
  int perfect = 0;
  for (unsigned seed = 86200; seed < 86260; ++seed) {
    RandomProblem p;
    p.loss = "squared-hinge";
    p.penalty = "ridge";
    p.seed = seed;
    p.rows = 6;
    p.columns = 3;
    p.penalty_weights = p.sparse = true;
    const Problem problem = p.problem();
    const Vector null = null_fit(problem, problem.data().weights).linear_predictor;
    if ((problem.loss().value(null, problem.data().response).array() > 1e-20).any()) continue;
    ++perfect;
    EXPECT_EQ(lambda_start(problem), 1.0) << p;
  }
  EXPECT_GT(perfect, 0);
}

TEST(FitPath, SortsLambdasAndStopsWhenTold) {
  RandomProblem p;
  const Problem problem = p.problem();
  int asked = 0;
  Monitor monitor;
  monitor.should_stop = [&] { return ++asked > 2; };
  const Path path = fit_path(problem, {1.0, 3.0, 2.0}, {}, monitor);
  EXPECT_FALSE(path.complete);
  ASSERT_EQ(path.fits.size(), 2U);
  EXPECT_EQ(path.fits[0].lambda, 3.0);
  EXPECT_EQ(path.fits[1].lambda, 2.0);
}

TEST(FitPath, RefusesLambdasThatMakeNoSense) {
  RandomProblem p;
  p.columns = 30;
  const Problem problem = p.problem();
  EXPECT_THAT([&] { fit_path(problem, {-1.0}); }, ThrowsMessage<InvalidArgument>(HasSubstr("zero or more")));
  EXPECT_THAT([&] { fit_path(problem, {std::nan("")}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("finite")));
  EXPECT_THAT([&] { fit_path(problem, {0.0}); }, ThrowsMessage<InvalidData>(HasSubstr("no unique fit")));
}

TEST(FitPath, ReportsAMissedTolerance) {
  RandomProblem p;
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {1.0}, {.tolerance = 0.0}).fits[0];
  EXPECT_EQ(fit.status, fit.certificate.gap.value() > 0.0 ? FitStatus::not_converged : FitStatus::converged);
}

// Infinite weights exclude, zero weights free a coefficient from the penalty.
TEST(FitPath, HonoursPenaltyWeights) {
  for (const char* penalty : {"lasso", "elastic-net", "ridge"}) {
    RandomProblem p;
    p.penalty = penalty;
    p.penalty_weights = true;
    const Problem problem = p.problem();
    const Fit fit = fit_path(problem, {0.999 * lambda_start(problem)}).fits[0];
    EXPECT_NE(fit.coefficients[1], 0.0) << penalty;
    EXPECT_EQ(fit.coefficients[3], 0.0) << penalty;
    EXPECT_EQ(fit.status, FitStatus::converged) << penalty;
  }
}

TEST(FitPath, LeavesConstantColumnsOut) {
  for (const bool standardize : {true, false}) {
    RandomProblem p;
    p.standardize = standardize;
    Dataset data = p.dataset();
    Matrix x = data.design.dense_values();
    x.col(2).setConstant(0.1);
    data.design = Design(x);
    const Problem problem = p.problem(std::move(data));
    EXPECT_EQ(problem.constant_columns(), std::vector<Index>{2});
    const Fit fit = fit_path(problem, {1e-3 * lambda_start(problem)}).fits[0];
    EXPECT_EQ(fit.coefficients[2], 0.0);
    EXPECT_EQ(fit.status, FitStatus::converged);
  }
}

}  // namespace
}  // namespace alo
