// SPDX-License-Identifier: MIT
// Rows that are known to be exact without a refit, and samples of the others.
#include <gtest/gtest.h>

#include "random_problem.hpp"
#include "solvers/method.hpp"
#include "tune/evidence.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;
using testing_support::RandomProblem;

RandomProblem margins(unsigned seed) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "elastic-net";
  p.rows = 120;
  p.columns = 10;
  p.seed = seed;
  return p;
}

// Leaving out a row beyond the margin changes nothing, which needs no refit to be known.
TEST(CertifyRows, ProvesRowsWithoutAGradient) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomProblem p = margins(seed);
    const Problem problem = p.problem();
    const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
    const auto certified = certify_rows(problem, fit);
    const LeaveOneOut formula = approximate_leave_one_out(problem, fit);
    const LeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values[0];
    Index proved = 0;
    for (Index i = 0; i < problem.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!certified[at]) continue;
      ++proved;
      EXPECT_TRUE(*certified[at]);
      EXPECT_EQ(formula.linear_predictor[i], fit.linear_predictor[i]) << i;
      EXPECT_NEAR(exact.linear_predictor[i], fit.linear_predictor[i], 1e-6) << i;  // of the refit
    }
    EXPECT_GE(proved, problem.rows() / 8) << seed;
  }
}

// Where classes are balanced and lambda is large no pinned row holds the intercept, and a row without a
// gradient may be the one that bounds it.
TEST(CertifyRows, SaysNothingWhereTheInterceptIsLoose) {
  RandomProblem p = margins(1);
  Dataset data = p.dataset();
  for (Index i = 0; i < p.rows; ++i) data.response[i] = i % 2 == 0 ? 1.0 : -1.0;
  const Problem problem = p.problem(std::move(data));
  const Fit fit = fit_at(problem, 2.0 * lambda_start(problem));
  for (const auto& certified : certify_rows(problem, fit)) EXPECT_FALSE(certified);
}

// A sample takes these rows as known, as a check does, and draws from the others.
TEST(Sample, IsDrawnFromRowsThatAreNotProved) {
  const Problem problem = margins(2).problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  TuneResult result = tune(problem, options);
  options.effort = 1e9;
  std::vector<double> looks;
  for (const Estimate& alo : result.risk.front().alo) looks.push_back(alo.mean.value_or(0.0));
  const Monitor monitor;
  ExactEvidence evidence(problem, options, monitor, result, looks);
  const Index k = evidence.size() / 2;
  const Fit fit = fit_at(problem, result.path[static_cast<std::size_t>(k)].fit.lambda);
  const auto certified = certify_rows(problem, fit);
  Index proved = 0;
  for (const auto& row : certified) proved += row.value_or(false) ? 1 : 0;
  ASSERT_GT(proved, 20);
  ASSERT_TRUE(evidence.sample(k, 2.0 * evidence.smallest_sample_flops(k)));
  EXPECT_GE(evidence.rows(k).count, proved + 20);
  EXPECT_LE(evidence.spent(), 2.0 * evidence.smallest_sample_flops(k));
  const LeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values[0];
  const double truth = *estimate_risk(problem, Metric::hinge, exact).mean;
  EXPECT_LE(std::abs(*evidence.at(k).mean - truth), *evidence.at(k).error);
}

}  // namespace
}  // namespace alo
