// SPDX-License-Identifier: MIT
#include "alo/check.hpp"

#include <gtest/gtest.h>

#include "alo/tune.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::RandomProblem;

TuneResult checked(const RandomProblem& p, Index rows) {
  TuneOptions options;
  options.grid.count = 15;
  options.check_rows = rows;
  return tune(p.problem(), options);
}

TEST(Check, RidgeAgreesToRounding) {
  RandomProblem p;
  p.penalty = "ridge";
  const Check check = *checked(p, 10).check;
  EXPECT_EQ(check.rows.size(), 10U);
  EXPECT_TRUE(std::is_sorted(check.rows.begin(), check.rows.end()));
  EXPECT_LT(check.max_difference, 1e-9);
  EXPECT_TRUE(check.agrees);
}

// With every row refitted the difference estimator is the exact risk, without an interval.
TEST(Check, AllRowsGiveTheExactRisk) {
  RandomProblem p;
  p.rows = 25;
  p.columns = 20;
  const TuneResult result = checked(p, 1000);
  const Check& check = *result.check;
  ASSERT_EQ(check.rows.size(), 25U);
  EXPECT_NEAR(check.corrected_risk, *check.exact_risk.mean, 1e-12 * check.corrected_risk);
  EXPECT_NEAR(check.interval_low, check.interval_high, 1e-12 * check.corrected_risk);
  EXPECT_GT(check.max_difference, 0.0);
}

TEST(Check, SameSeedSameRows) {
  RandomProblem p;
  EXPECT_EQ(checked(p, 7).check->rows, checked(p, 7).check->rows);
}

}  // namespace
}  // namespace alo
