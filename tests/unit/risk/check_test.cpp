// SPDX-License-Identifier: MIT
#include "alo/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "alo/tune.hpp"
#include "random_problem.hpp"
#include "risk/difference_estimate.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;
using testing_support::RandomProblem;

// Data whose approximate risk at lambda = 5 is 26 % above the exact one.
constexpr unsigned wrong_seed = 1;

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
  EXPECT_EQ(check.verdict, CheckVerdict::trusted);
}

// With every row refitted the difference estimator is the exact risk, without an interval, and it decides.
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
  EXPECT_NE(check.verdict, CheckVerdict::undecided);
}

TEST(Check, SameSeedSameRows) {
  RandomProblem p;
  EXPECT_EQ(checked(p, 7).check->rows, checked(p, 7).check->rows);
}

// The fit of a lasso at one lambda, with ALO and exact leave-one-out of all rows: y is the sum of ten columns
// and noise, all standard normal.
struct Sparse {
  explicit Sparse(unsigned seed, Index rows, Index columns, double lambda)
      : problem(make_problem(seed, rows, columns)), fit(fit_at(problem, lambda)) {
    values.fitted = fit.linear_predictor;
    const LeaveOneOut alo = approximate_leave_one_out(problem, fit);
    values.alo = alo.linear_predictor;
    values.flags = alo.flags;
    values.certified = certify_rows(problem, fit);
    exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values[0];
  }

  static Problem make_problem(unsigned seed, Index rows, Index columns) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    const Matrix x = Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
    const Vector y =
        x.leftCols(10).rowwise().sum() + Vector::NullaryExpr(rows, [&] { return normal(generator); });
    return {make_dataset(Design(x), y), make_loss("squared", {}), make_penalty("lasso", {}), {true, true}};
  }

  double risk(const Vector& predictor) const {
    return (problem.data().response - predictor).squaredNorm() / static_cast<double>(problem.rows());
  }

  // The verdict of a check of `count` rows, from the exact values of all rows.
  DifferenceVerdict verdict(Index count, std::uint64_t seed, bool use_proofs) const {
    RowTerms terms = row_terms(problem, Metric::mse, values.fitted, values.alo);
    const Estimate approximate = estimate_risk(problem, Metric::mse, {values.alo, {}, 0.0, values.flags});
    std::vector<Index> open;
    for (const Index i : all_rows(problem)) {
      const bool proved = values.certified[static_cast<std::size_t>(i)].value_or(false);
      if (proved && use_proofs) terms.exact[i] = terms.alo[i];
      if (!proved || !use_proofs) open.push_back(i);
    }
    const RowSample sample = sample_rows(terms, open, count, seed);
    for (const Index i : sample.all()) {
      terms.exact[i] = std::pow(problem.data().response[i] - exact.linear_predictor[i], 2);
    }
    return judge_difference(terms, open, sample, approximate);
  }

  Problem problem;
  Fit fit;
  RowValues values;
  LeaveOneOut exact;
};

// A lasso with twice as many columns as rows, whose approximate risk is a quarter too high: no sample may
// call it right, and some samples of a third of the rows say that it is wrong.
TEST(Check, IsNeverTrustedWhereTheRiskIsAQuarterTooHigh) {
  const Sparse wrong(wrong_seed, 100, 200, 5.0);
  const double excess = wrong.risk(wrong.values.alo) / wrong.risk(wrong.exact.linear_predictor) - 1.0;
  ASSERT_GT(excess, 0.2);
  ASSERT_LT(excess, 0.35);
  for (const bool use_proofs : {false, true}) {
    std::map<CheckVerdict, int> of_many;
    for (Index count = 5; count <= 50; ++count) {
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const CheckVerdict verdict = wrong.verdict(count, seed, use_proofs).verdict;
        ASSERT_NE(verdict, CheckVerdict::trusted) << count << " rows, seed " << seed;
        if (count > 30) ++of_many[verdict];
      }
    }
    EXPECT_GT(of_many[CheckVerdict::refuted], 0);
  }
}

// The same through the refits of check_rows itself.
TEST(Check, RefitsDoNotTrustItEither) {
  const Sparse wrong(wrong_seed, 100, 200, 5.0);
  for (const Index count : {5, 20, 50}) {
    const auto check = check_rows(wrong.problem, wrong.fit, wrong.values, Metric::mse, count, 1, {});
    EXPECT_NE(check->verdict, CheckVerdict::trusted) << count;
    EXPECT_EQ(check->verdict, wrong.verdict(count, 1, true).verdict) << count;
  }
  EXPECT_EQ(check_rows(wrong.problem, wrong.fit, wrong.values, Metric::mse, 100, 1, {})->verdict,
            CheckVerdict::refuted);
}

// Where ALO is right, 200 of 400 rows show it, also without proofs of single rows.
TEST(Check, TrustsWhatIsRightWithTwoHundredRows) {
  const Sparse right(1, 400, 100, 30.0);
  ASSERT_NEAR(right.risk(right.values.alo) / right.risk(right.exact.linear_predictor), 1.0, 0.02);
  for (const bool use_proofs : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      EXPECT_EQ(right.verdict(200, seed, use_proofs).verdict, CheckVerdict::trusted) << seed;
    }
  }
}

// A sample of the size that an undecided check names decides about half of the time, for the distance to the
// tolerance is itself estimated.
TEST(Check, SaysHowManyRowsDecide) {
  const Sparse right(1, 400, 100, 30.0);
  int decided = 0, undecided = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const DifferenceVerdict few = right.verdict(10, seed, false);
    if (few.verdict != CheckVerdict::undecided) continue;
    ++undecided;
    ASSERT_TRUE(few.deciding_rows);
    EXPECT_GT(*few.deciding_rows, 10);
    EXPECT_LE(*few.deciding_rows, 400);
    decided += right.verdict(*few.deciding_rows, seed + 100, false).verdict != CheckVerdict::undecided;
  }
  ASSERT_GT(undecided, 5);
  EXPECT_GT(3 * decided, undecided);
}

// Rows of one class, in which nothing in a random sample differs: the interval has the width of what rows
// like those that were not drawn could add, not zero.
TEST(DifferenceEstimate, DoesNotTakeASampleWithoutDifferencesForAProof) {
  const Index n = 1000;
  RowTerms terms{Vector::Ones(n), Vector::Ones(n), Vector::Constant(n, std::nan("")), Vector::Ones(n)};
  const std::vector<Index> drawn = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const Index i : drawn) terms.exact[i] = 1.0;
  const DifferenceEstimate estimate = difference_estimate(terms, drawn);
  EXPECT_EQ(estimate.mean, 1.0);
  EXPECT_EQ(estimate.se, 0.0);
  // If K of n rows were bad, ten drawn ones would all be good with probability about (1 - K/n)^10 = 0.05.
  EXPECT_NEAR(estimate.half_width, 1.0 - std::pow(0.05, 0.1), 0.005);
}

// Weighted means, settled rows and a random sample, against the formula by hand.
TEST(DifferenceEstimate, IsTheStratifiedOne) {
  RowTerms terms{Vector{{1.0, 2.0, 1.0, 1.0, 0.0}}, Vector{{1.0, 2.0, 3.0, 4.0, 9.0}},
                 Vector{{2.0, 2.5, 3.5, std::nan(""), std::nan("")}}, Vector{{0.0, 0.5, 0.5, 0.0, 0.0}}};
  const DifferenceEstimate estimate = difference_estimate(terms, {1, 2});
  // Settled: 2. Others: 2 * 2 + 3 + 4 + 3 * mean(2 * 0.5, 0.5).
  EXPECT_NEAR(estimate.mean, (2.0 + 11.0 + 3.0 * 0.75) / 5.0, 1e-15);
  EXPECT_EQ(estimate.settled, 1);
  EXPECT_EQ(estimate.unseen, 1);
  const double se = 3.0 * std::sqrt(0.125) * std::sqrt((1.0 - 2.0 / 3.0) / 2.0) / 5.0;
  EXPECT_NEAR(estimate.se, se, 1e-15);
  EXPECT_NEAR(estimate.half_width, 12.7062047 * se,
              1e-7);  // one degree of freedom; the unseen row has no reach
}

// Quantiles from R: qt(0.975, c(1, 5, 11, 30, 1000)).
TEST(DifferenceEstimate, StudentQuantiles) {
  EXPECT_NEAR(student_quantile(1), 12.70620474, 1e-8);
  EXPECT_NEAR(student_quantile(5), 2.570581836, 1e-9);
  EXPECT_NEAR(student_quantile(11), 2.200985160, 2e-5);
  EXPECT_NEAR(student_quantile(30), 2.042272456, 1e-6);
  EXPECT_NEAR(student_quantile(1000), 1.962339081, 1e-8);
}

}  // namespace
}  // namespace alo
