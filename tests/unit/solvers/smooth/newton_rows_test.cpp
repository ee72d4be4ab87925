// SPDX-License-Identifier: MIT
#include "solvers/smooth/newton_rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/path.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::has_fit;
using testing_support::RandomProblem;

Vector left_out(const Problem& problem, const Fit& fit, const std::vector<Index>& rows) {
  return NewtonRows(problem, rows, {}).run(fit, [](Index) { return true; }).linear_predictor.col(0);
}

// Rows that are alike share what is known of the null fits without them.
RC_GTEST_PROP(NewtonRows, AreTheSameTogetherAndAlone, ()) {
  RandomProblem p = *any_problem({"lasso"}, {"logistic", "poisson"});
  p.rows = *rc::gen::inRange<Index>(4, 12);  // few enough for classes of one row
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_path(problem, {p.lambda_share * lambda_start(problem)}).fits.front();
  const Vector together = left_out(problem, fit, all_rows(problem));
  for (const Index i : all_rows(problem)) {
    const double alone = left_out(problem, fit, {i})[0];
    RC_ASSERT(std::isnan(together[i]) == std::isnan(alone));
    // Of a fit that converges to 1e-11 of its slopes.
    if (!std::isnan(alone)) RC_ASSERT(std::abs(together[i] - alone) <= 1e-9 * (1.0 + std::abs(alone)));
  }
}

TEST(NewtonRows, TheOnlyRowOfAClassHasNoFitWithoutIt) {
  RandomProblem p;
  p.loss = "logistic";
  Dataset data = p.dataset();
  data.response.setConstant(-1.0);
  data.response[3] = 1.0;
  data.response[7] = 1.0;
  const auto undefined_at = [&](double weight) {
    data.weights.setOnes();
    data.weights[7] = weight;
    const Problem problem = p.problem(data);
    const Fit fit = fit_path(problem, {0.5 * lambda_start(problem)}).fits.front();
    std::vector<Index> rows;
    const Vector values = left_out(problem, fit, all_rows(problem));
    for (const Index i : all_rows(problem)) {
      if (std::isnan(values[i])) rows.push_back(i);
    }
    return rows;
  };
  EXPECT_EQ(undefined_at(1.0), std::vector<Index>());
  EXPECT_EQ(undefined_at(0.0), std::vector<Index>{3});
}

}  // namespace
}  // namespace alo
