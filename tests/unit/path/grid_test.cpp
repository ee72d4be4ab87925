// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/kernel.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"
#include "solvers/ridge_spectrum.hpp"

namespace alo {
namespace {

using testing_support::fit_at;
using testing_support::RandomProblem;

double degrees_of_freedom(const Problem& problem, double lambda) {
  return approximate_leave_one_out(problem, fit_at(problem, lambda)).degrees_of_freedom;
}

// The design has full rank: min(n - 1, p) off the intercept.
TEST(Grid, OfARidgeEndsAtAShareOfItsDegreesOfFreedom) {
  for (const Index columns : {8, 60}) {
    RandomProblem p;
    p.penalty = "ridge";
    p.rows = 40;
    p.columns = columns;
    const Problem problem = p.problem();
    const double limit = static_cast<double>(std::min<Index>(columns, 39)) + 1.0;
    EXPECT_NEAR(degrees_of_freedom(problem, lambda_grid(problem).back()), 0.98 * limit, 1e-6 * limit);
  }
}

// At the largest lambda at which anything is explained, rounding would decide which terms count.
TEST(Grid, BeginsAtTheNullFitAndItsDegreesOfFreedom) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Matrix x = testing_support::normal_matrix(24, 8, 3 * seed);
    const Vector y = testing_support::normal_matrix(24, 1, 3 * seed + 1).col(0) + 0.4 * x.col(2);
    ModelParameters parameters;
    parameters.columns = 8;
    parameters.sparse = 0.9;
    const Problem fused(make_dataset(Design(x), y), make_loss("squared", parameters),
                        make_penalty("fused-lasso", parameters), {true, false});
    parameters.columns = 16;
    SparseMatrix identity(16, 16);
    identity.setIdentity();
    const Problem wavelet(make_dataset(Design(std::move(identity)), y.head(16)),
                          make_loss("squared", parameters), make_penalty("wavelet", parameters),
                          {false, false});
    for (const Problem* problem : {&fused, &wavelet}) {
      const double start = lambda_grid(*problem).front();
      EXPECT_EQ(degrees_of_freedom(*problem, start), degrees_of_freedom(*problem, 1.01 * start)) << seed;
    }
  }
}

// Without an intercept the rank of equal columns is that of one of each.
TEST(Grid, CountsTheRankAndNotTheColumns) {
  RandomProblem p;
  p.penalty = "ridge";
  p.intercept = false;
  Dataset data = p.dataset();
  Matrix x(20, 8);
  x << data.design.dense_values().leftCols(4), data.design.dense_values().leftCols(4);
  data.design = Design(x);
  const Problem problem = p.problem(std::move(data));
  EXPECT_NEAR(degrees_of_freedom(problem, lambda_grid(problem).back()), 0.98 * 4.0, 1e-6);
}

// The curvature of a likelihood of classes is largest at the null fit, so the degrees of freedom at the end
// are at most the share; they are not far from it unless the classes are separated.
TEST(Grid, OfASmoothRidgeIsMeasuredAtTheNullFit) {
  RandomProblem p;
  p.penalty = "ridge";
  p.loss = "logistic";
  p.rows = 200;
  std::mt19937 generator(4);
  Dataset data = p.dataset();
  std::shuffle(data.response.begin(), data.response.end(), generator);  // nothing to explain
  const Problem problem = p.problem(std::move(data));
  const double end = lambda_grid(problem).back();
  EXPECT_LE(degrees_of_freedom(problem, end), 0.98 * 9.0 + 1e-6);
  EXPECT_GE(degrees_of_freedom(problem, end), 0.96 * 9.0);
}

TEST(Grid, KeepsARatioThatIsGiven) {
  for (const char* loss : {"squared", "logistic", "hinge"}) {
    RandomProblem p;
    p.penalty = "ridge";
    p.loss = loss;
    const std::vector<double> grid = lambda_grid(p.problem(), {.count = 7, .ratio = 1e-3});
    EXPECT_NEAR(grid.back() / grid.front(), 1e-3, 1e-12) << loss;
  }
}

// With more columns than rows two classes can be separated. The fit does not change below the lambda at which
// every margin is one, which the end of the grid should be near to.
TEST(Grid, OfSeparableClassesEndsNearTheHardMargin) {
  for (const bool balanced : {true, false}) {
    RandomProblem p;
    p.penalty = "ridge";
    p.loss = "hinge";
    p.rows = 40;
    p.columns = 80;
    Dataset data = p.dataset();
    for (Index i = 0; i < 40; ++i) data.response[i] = i < (balanced ? 20 : 12) ? 1.0 : -1.0;
    const Problem problem = p.problem(std::move(data));
    const std::vector<double> grid = lambda_grid(problem);
    const Vector at_end = fit_at(problem, grid.back()).linear_predictor;
    const Vector below = fit_at(problem, 0.01 * grid.back()).linear_predictor;
    EXPECT_LT((at_end - below).norm(), 0.05 * below.norm()) << balanced;  // 2 % a decade, and some slack
    const Vector above = fit_at(problem, 10.0 * grid.back()).linear_predictor;
    EXPECT_GT((above - below).norm(), 0.05 * below.norm()) << balanced;  // so that no decade is wasted
  }
}

// An elastic net of a loss with kinks has a largest lambda, but its fits change until the hard margin or the
// fit of least loss, which no fixed ratio tells: neither too short a grid nor decades without a change.
TEST(Grid, OfAKinkedElasticNetEndsWhereFitsNoLongerChange) {
  for (const char* loss : {"quantile", "hinge", "absolute"}) {
    for (const double scale : {1.0, 100.0}) {
      RandomProblem p;
      p.penalty = "elastic-net";
      p.loss = loss;
      p.rows = 60;
      p.standardize = false;
      Dataset data = p.dataset();
      Matrix x = data.design.dense_values();
      x.col(1) /= scale;  // matters at a smaller lambda only
      data.design = Design(x);
      const Problem problem = p.problem(std::move(data));
      const std::vector<double> grid = lambda_grid(problem);
      const Fit end = fit_at(problem, grid.back());
      const Vector below = fit_at(problem, 0.1 * grid.back()).linear_predictor;
      const Vector null = fit_at(problem, grid.front()).linear_predictor;
      const double change = (end.linear_predictor - below).norm() / (below - null).norm();
      // 2 % a decade, and some slack, or next to nothing left
      EXPECT_TRUE(change < 0.05 || end.unexplained < 2e-3) << loss << ' ' << scale << ' ' << change;
      const Fit above = fit_at(problem, 10.0 * grid.back());
      const double above_change = (above.linear_predictor - below).norm() / (below - null).norm();
      EXPECT_TRUE(above_change > 0.02 && above.unexplained > 1e-3) << loss << ' ' << scale;
    }
  }
}

// With more columns than rows a fit interpolates before it stops changing: the ratio is the limit.
TEST(Grid, OfAWideKinkedElasticNetIsNoLongerThanThatOfOthers) {
  RandomProblem p;
  p.penalty = "elastic-net";
  p.loss = "absolute";
  p.rows = 20;
  p.columns = 40;
  const std::vector<double> grid = lambda_grid(p.problem());
  EXPECT_GE(grid.back(), 0.99e-2 * grid.front());
  EXPECT_LE(grid.back(), 0.1001 * grid.front());
}

TEST(Grid, OfAKernelEndsWhereNextToNothingIsLeft) {
  RandomProblem p;
  p.penalty = "ridge";
  p.loss = "epsilon-insensitive";
  p.rows = 60;
  p.columns = 3;
  p.intercept = p.standardize = false;
  const Problem problem = p.problem(with_kernel(p.dataset(), {KernelKind::rbf, 2.0, 3, 0.0}));
  const std::vector<double> grid = lambda_grid(problem);
  // A kernel that can fit every row goes on changing, but next to nothing is left to explain.
  EXPECT_LE(fit_at(problem, grid.back()).unexplained, 1e-3 * (1.0 + 1e-6));
  EXPECT_GT(fit_at(problem, 10.0 * grid.back()).unexplained, 1e-3);
}

Problem noise(const char* penalty, int order, Index rows) {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  ModelParameters parameters;
  parameters.columns = rows;
  parameters.order = order;
  SparseMatrix identity(rows, rows);
  identity.setIdentity();
  Dataset data =
      make_dataset(Design(std::move(identity)), Vector::NullaryExpr(rows, [&] { return normal(generator); }));
  return {std::move(data), make_loss("squared"), make_penalty(penalty, parameters), {false, false}};
}

// The search knows the end up to a factor of 1.3, over which the number of blocks changes by about a tenth.
TEST(Grid, OfASignalEndsAtBlocksOfTwoRows) {
  for (const int order : {1, 2, 3}) {
    const Problem problem = noise(order == 1 ? "fused-lasso" : "trend-filter", order, 100);
    const double df = degrees_of_freedom(problem, lambda_grid(problem).back());
    EXPECT_GE(df, 50.0) << order;
    EXPECT_LE(df, 65.0) << order;
  }
}

// A signal that is made of few blocks has no end at which they are two rows long.
TEST(Grid, OfAStepEndsWhereTheStepIsFound) {
  Problem problem = noise("fused-lasso", 1, 100);
  Dataset data = problem.data();
  for (Index i = 0; i < 100; ++i) data.response[i] = i < 30 ? 1.0 : 2.0;
  const Problem step(std::move(data), problem.loss(), problem.penalty(), {false, false});
  const std::vector<double> grid = lambda_grid(step);
  EXPECT_GT(grid.back(), 0.05 * grid.front());
  EXPECT_NEAR(degrees_of_freedom(step, grid.back()), 2.0, 1e-9);  // rounding of the sum
}

// Where what is not penalised fits the response, slopes are rounding, and no lambda is the first to matter.
// A response that it misses by 1e-9 is none of that.
TEST(Grid, StartsAtOneWhereNothingIsLeftToExplain) {
  for (const char* loss : {"squared", "huber", "squared-hinge"}) {
    RandomProblem p;
    p.loss = loss;
    p.penalty_weights = true;  // none on column 1
    Dataset data = p.dataset();
    const Vector free = data.design.dense_values().col(1);
    const Vector other = data.design.dense_values().col(0);
    const double middle = free.mean();
    const bool has_classes = p.loss == "squared-hinge";
    const auto start = [&](double share) {
      Dataset changed = data;
      changed.response = 2.0 + (3.0 * free + share * other).array();
      if (has_classes) changed.response = (free.array() > middle).select(Vector::Ones(20), -Vector::Ones(20));
      return lambda_start(p.problem(std::move(changed)));
    };
    EXPECT_EQ(start(0.0), 1.0) << loss;
    if (has_classes) continue;
    EXPECT_LT(start(1e-9), 1e-6) << loss;
    EXPECT_GT(start(1e-9), 1e-11) << loss;
  }
}

// The spectrum against the sum of the leverages, which are computed in another way.
RC_GTEST_PROP(RidgeSpectrum, DegreesOfFreedomAreTheSumOfLeverages, ()) {
  const RandomProblem p = *testing_support::any_problem({"ridge"});
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const RidgeSpectrum spectrum = ridge_spectrum(problem, problem.data().weights);
  const double df = degrees_of_freedom(problem, lambda);
  // The rounding of n eigenvalues beside lambda.
  RC_ASSERT(std::abs(spectrum.degrees_of_freedom(lambda) - df) <= 1e-8 * (1.0 + df));
  if (const auto at = spectrum.lambda_at(0.7)) {
    const double limit = static_cast<double>(spectrum.free + spectrum.squares.size());
    RC_ASSERT(spectrum.degrees_of_freedom(*at) >= 0.7 * limit - 1e-9 * limit ||
              static_cast<double>(spectrum.free) >= 0.7 * limit);
  }
}

}  // namespace
}  // namespace alo
