// SPDX-License-Identifier: MIT
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/error.hpp"
#include "alo/select.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::RandomProblem;

Estimate risk_at(const Problem& problem, Metric metric, double lambda) {
  const Fit fit = fit_path(problem, {lambda}).fits[0];
  return estimate_risk(problem, metric, approximate_leave_one_out(problem, fit));
}

// The continuous minimiser is at least as good as a fine grid, the risk it reports is the
// risk of a fit at that lambda, and one-se is on the right side of its bound.
RC_GTEST_PROP(ChooseOnSegments, BeatsAFineGrid, ()) {
  RandomProblem p = *testing_support::any_problem({"lasso", "elastic-net"});
  if (!p.ridge) p.penalty = "lasso";
  p.rows = 12 + p.rows;
  p.columns = std::min<Index>(p.columns, 15);
  const Problem problem = p.problem();
  const Metric metric = *rc::gen::element(Metric::mse, Metric::mae, Metric::r2);
  const double start = lambda_start(problem);
  const double lowest = 0.02 * start;
  const auto choices = choose_on_segments(problem, metric, lowest);
  RC_ASSERT(choices.has_value());
  const double sign = larger_is_better(metric) ? -1.0 : 1.0;
  const double best = sign * *choices->minimum.risk.mean;
  const double size = std::abs(best) + 1e-12;

  std::vector<double> grid;
  for (int k = 0; k <= 200; ++k) grid.push_back(start * std::pow(0.02, k / 200.0));
  for (const double lambda : grid) {
    const Estimate risk = risk_at(problem, metric, lambda);
    if (risk.mean) RC_ASSERT(best <= sign * *risk.mean + 1e-7 * size);
  }
  const Estimate again = risk_at(problem, metric, choices->minimum.lambda);
  RC_ASSERT(std::abs(*again.mean - *choices->minimum.risk.mean) <= 1e-6 * size);

  RC_ASSERT(choices->one_se.lambda >= choices->minimum.lambda);
  const double bound = best + choices->minimum.risk.se.value_or(0.0);
  RC_ASSERT(sign * *choices->one_se.risk.mean <= bound + 1e-9 * size);
  for (const double lambda : grid) {  // nothing above it is within the bound
    if (lambda <= choices->one_se.lambda * (1.0 + 1e-6)) continue;
    const Estimate risk = risk_at(problem, metric, lambda);
    if (risk.mean) RC_ASSERT(sign * *risk.mean >= bound - 1e-7 * size);
  }
}

TEST(ChooseOnSegments, RefusesPathsThatAreNotAffine) {
  for (const char* penalty : {"ridge", "elastic-net"}) {
    RandomProblem p;
    p.penalty = penalty;
    const Problem problem = p.problem();
    EXPECT_THAT([&] { choose_on_segments(problem, Metric::mse, 0.1); },
                testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("affine")));
  }
}

}  // namespace
}  // namespace alo
