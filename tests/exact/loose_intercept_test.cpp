// SPDX-License-Identifier: MIT
// Losses with kinks whose intercept no pinned row holds: the fit, the formula, and exact leave-one-out.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/penalties/elastic_net.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/registry.hpp"
#include "formula/intercept_range.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;
using testing_support::max_difference;

// Rows in equal numbers on both sides, so that at a large lambda no row is pinned and the intercept may be
// anywhere in an interval.
Problem balanced_problem(unsigned seed, Index rows, Index columns, const std::string& loss) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const Matrix x = Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    y[i] = loss == "hinge" ? (i % 2 == 0 ? 1.0 : -1.0) : x(i, 0) + normal(generator);
  }
  ModelParameters parameters;
  parameters.epsilon = 0.1;
  parameters.quantile = 0.5;
  return {make_dataset(Design(x), y), make_loss(loss, parameters), Ridge{}, {true, false}};
}

const std::vector<std::string> balanced_losses = {"hinge", "absolute", "quantile", "epsilon-insensitive"};

// The fit has the middle of the optimal intercepts, whichever method finds it: 20 and 40 rows are fitted by
// the kernel of the rows, 300 rows of three columns in the coefficients, the elastic net by a third method.
TEST(LooseIntercept, AFitHasTheMiddleOfTheOptimalOnes) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{20, 40}, {40, 2}, {300, 3}}) {
    for (const std::string& loss : balanced_losses) {
      const Problem ridge = balanced_problem(1, rows, columns, loss);
      const Problem mixed(ridge.data(), ridge.loss(), ElasticNet(0.1), {true, false});
      for (const Problem& problem : {ridge, mixed}) {
        const Fit fit = fit_at(problem, 1e5);
        ASSERT_EQ(fit.status, FitStatus::converged) << loss;
        const InterceptRange range = intercept_range(problem, problem.data().weights, fit);
        ASSERT_FALSE(range.is_unique()) << loss << ' ' << rows;
        EXPECT_NEAR(range.down + range.up, 0.0, 1e-10) << loss << ' ' << rows;
        const double best = problem.objective(fit.intercept, fit.coefficients, fit.lambda);
        const auto raised = [&](double by) {
          return problem.objective(fit.intercept.array() + by, fit.coefficients, fit.lambda) - best;
        };
        // The slope beyond the ends is at least the smallest of the losses' slopes, 1/2.
        EXPECT_NEAR(raised(range.up), 0.0, 1e-10 * best);
        EXPECT_NEAR(raised(range.down), 0.0, 1e-10 * best);
        EXPECT_GT(raised(range.up + 1e-3), 4e-4);
        EXPECT_GT(raised(range.down - 1e-3), 4e-4);
      }
    }
  }
}

// Every row gets a prediction. While the rows keep their order the formula is exact: at a large lambda the
// coefficients hardly move, and what moves is the intercept. Values of the hinge's linear predictors differ
// by no more than the coefficients move, so that their order may change and the prediction be off by as much.
// Of an odd number of rows one is pinned, and the formula is this one for that row alone.
TEST(LooseIntercept, TheFormulaIsExactWhileOnlyTheInterceptMoves) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{12, 30}, {20, 2}, {21, 2}, {210, 3}}) {
    for (const std::string& loss : balanced_losses) {
      const Problem problem = balanced_problem(7, rows, columns, loss);
      const double lambda = 1e6;
      const Fit fit = fit_at(problem, lambda, {.carry_hat = true});
      const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
      EXPECT_EQ(held_out.undefined(), 0) << loss << ' ' << rows;
      const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
      EXPECT_LT(max_difference(held_out.linear_predictor, dual.linear_predictor), 1e-9)
          << loss << ' ' << rows;
      const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem));
      EXPECT_EQ(exact.missed(), 0);
      const double moves = loss == "hinge" ? static_cast<double>(rows * columns) / lambda : 1e-9;
      const std::vector<Index> pinned = local_model(problem, fit).pinned;
      EXPECT_LE(pinned.size(), 1U);
      for (const Index i : pinned.empty() ? all_rows(problem) : pinned) {
        EXPECT_NEAR(held_out.linear_predictor[i], exact.values.at(0).linear_predictor[i], moves)
            << loss << ' ' << rows << " row " << i;
      }
    }
  }
}

// With a smaller lambda the coefficients move too, and the prediction with them: the formula is the
// derivative of the path on which g_i falls to zero, once the intercept has gone to its row. It is near exact
// leave-one-out.
TEST(LooseIntercept, TheFormulaIsNearExactLeaveOneOut) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{20, 60}, {30, 2}}) {
    for (const std::string& loss : balanced_losses) {
      const Problem problem = balanced_problem(3, rows, columns, loss);
      double lambda = 1e4;
      Fit fit = fit_at(problem, lambda);
      Fit last = fit;
      while (local_model(problem, fit).pinned.empty() && lambda > 1e-3) {
        last = fit;
        lambda *= 0.8;
        fit = fit_at(problem, lambda);
      }
      ASSERT_TRUE(local_model(problem, last).pinned.empty());
      const Vector approximate = approximate_leave_one_out(problem, last).linear_predictor;
      const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&last, 1), all_rows(problem));
      const Vector& expected = exact.values.at(0).linear_predictor;
      const double moved = (expected - last.linear_predictor).cwiseAbs().mean();
      // An error of a third of the step: other rows pass kinks on the way.
      EXPECT_LT((approximate - expected).cwiseAbs().mean(), 0.33 * moved)
          << loss << ' ' << rows << " lambda " << last.lambda;
    }
  }
}

// Without a row the intercept may again lie anywhere in an interval, whose midpoint is the prediction.
TEST(LooseIntercept, ExactLeaveOneOutIsTheMidpoint) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{10, 30}, {11, 2}}) {
    for (const std::string loss : {"hinge", "absolute", "quantile"}) {
      const Problem problem = balanced_problem(5, rows, columns, loss);
      const Fit fit = fit_at(problem, rows % 2 == 0 ? 5000.0 : 50.0);
      const LeaveOneOut exact =
          exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values.at(0);
      Index intervals = 0;
      for (Index i = 0; i < rows; ++i) {
        Dataset data = problem.data();
        data.weights[i] = 0.0;
        const Problem without(std::move(data), problem.loss(), problem.penalty(), {true, false});
        const Fit refit = fit_at(without, fit.lambda);
        const double best = without.objective(refit.intercept, refit.coefficients, fit.lambda);
        const double own = refit.linear_predictor[i] - refit.intercept[0];
        const auto raised = [&](double prediction) {
          return without.objective(Vector::Constant(1, prediction - own), refit.coefficients, fit.lambda) -
                 best;
        };
        EXPECT_NEAR(refit.linear_predictor[i], exact.linear_predictor[i], 1e-9) << loss << ' ' << i;
        EXPECT_NEAR(raised(exact.linear_predictor[i]), 0.0, 1e-9 * (1.0 + best)) << loss << ' ' << i;
        if (exact.flags[static_cast<std::size_t>(i)] != RowFlag::not_unique) continue;
        ++intervals;
        EXPECT_NEAR(exact.linear_predictor[i], 0.5 * (exact.low[i] + exact.high[i]), 1e-12);
        EXPECT_NEAR(raised(exact.low[i]), 0.0, 1e-9 * (1.0 + best));
        EXPECT_NEAR(raised(exact.high[i]), 0.0, 1e-9 * (1.0 + best));
        EXPECT_GT(raised(exact.low[i] - 1e-3), 4e-4);
        EXPECT_GT(raised(exact.high[i] + 1e-3), 4e-4);
      }
      // Without one of an even number of rows an absolute loss has a row in the middle. Rows of a hinge that
      // take its place are pinned together.
      EXPECT_EQ(intervals > 0, rows % 2 == 1) << loss << ' ' << rows;
    }
  }
}

}  // namespace
}  // namespace alo
