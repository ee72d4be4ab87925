// SPDX-License-Identifier: MIT
// Exact leave-one-out by walking every row's knots, against refits without the row by another solver.
#include "solvers/quadratic/row_homotopy.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "random_problem.hpp"
#include "walked_rows.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::RandomProblem;
using testing_support::walk_all_rows;

double refitted_prediction(const Problem& problem, const Fit& fit, Index row) {
  return testing_support::refit_without(problem, fit, row).linear_predictor[row];
}

// Where the fit without the row is not unique, nor is its prediction: several solvers may differ.
bool has_one_fit(const RandomProblem& p, const Problem& problem, const Fit& fit) {
  const Index nonzero = (fit.coefficients.array() != 0.0).count() + (p.intercept ? 1 : 0);
  return nonzero + 2 < problem.rows();
}

RC_GTEST_PROP(RowHomotopy, EqualsRefits, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net"});
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {p.lambda_share * lambda_start(problem)}).fits.at(0);
  RC_PRE(has_one_fit(p, problem, fit));
  const RowHomotopy::Result result = walk_all_rows<RowHomotopy>(problem, fit);
  RC_ASSERT(result.missed == 0);
  const double size = 1.0 + problem.data().response.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < problem.rows(); ++i) {
    if (std::isnan(result.linear_predictor[i])) continue;
    RC_ASSERT(std::abs(result.linear_predictor[i] - refitted_prediction(problem, fit, i)) <= 1e-8 * size);
  }
}

// Twenty times more columns than rows: those near their threshold are guessed, what was forgotten
// is found, and no row needs a refit.
TEST(RowHomotopy, FindsColumnsOutsideTheTableau) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  Matrix x = Matrix::NullaryExpr(60, 1200, [&] { return normal(generator); });
  x.row(7) *= 6.0;  // a row that moves columns from far away
  const Vector y = x.leftCols(8).rowwise().sum() + Vector::NullaryExpr(60, [&] { return normal(generator); });
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{});
  const double start = lambda_start(problem);
  for (const double share : {0.6, 0.3, 0.1}) {
    const Fit fit = fit_path(problem, {share * start}).fits.at(0);
    RowHomotopy homotopy(problem, {.fit = {}, .threads = 2});
    const RowHomotopy::Result result = homotopy.run(fit, all_rows(problem), [](Index) { return true; });
    EXPECT_TRUE(result.unsure.empty()) << share;
    EXPECT_EQ(result.missed, 0);
    for (const Index i : {0, 7, 31, 59}) {
      EXPECT_NEAR(result.linear_predictor[i], refitted_prediction(problem, fit, i), 1e-9)
          << share << ' ' << i;
    }
  }
}

TEST(RowHomotopy, StopsWhenTold) {
  RandomProblem p;
  p.rows = 200;
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {0.1 * lambda_start(problem)}).fits.at(0);
  RowHomotopy homotopy(problem, {});
  const RowHomotopy::Result result =
      homotopy.run(fit, all_rows(problem), [](Index rows) { return rows == 0; });
  const auto left = std::count_if(result.linear_predictor.begin(), result.linear_predictor.end(),
                                  [](double value) { return std::isnan(value); });
  EXPECT_GT(left, 0);
  EXPECT_LT(left, 200);
}

}  // namespace
}  // namespace alo
