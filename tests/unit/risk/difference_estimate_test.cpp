// SPDX-License-Identifier: MIT
// How far exact leave-one-out of a row may be from the approximation, and what samples make of it.
#include "risk/difference_estimate.hpp"

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "problem/signal.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;

// Steps of random heights, some twenty rows long, with noise; a seed in ten is an outlier.
Problem steps(unsigned seed, Index rows) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Vector y(rows);
  double level = 0.0;
  for (Index i = 0; i < rows; ++i) {
    if (i % 20 == 0) level = 2.0 * normal(generator);
    y[i] = level + 0.3 * normal(generator);
  }
  ModelParameters parameters;
  parameters.columns = rows;
  SparseMatrix identity(rows, rows);
  identity.setIdentity();
  return {make_dataset(Design(std::move(identity)), y),
          make_loss("squared"),
          make_penalty("fused-lasso", parameters),
          {false, false}};
}

struct SignalCase {
  SignalCase(unsigned seed, double lambda) : problem(steps(seed, 400)) {
    const Fit fit = fit_at(problem, lambda);
    const LeaveOneOut formula = approximate_leave_one_out(problem, fit);
    LeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values[0];
    terms = row_terms(problem, Metric::mse, fit.linear_predictor, formula.linear_predictor);
    fitted = fit.linear_predictor;
    exact_terms = (problem.data().response - exact.linear_predictor).array().square();
    for (const Index i : all_rows(problem)) {
      (std::isfinite(terms.alo[i]) ? open : undefined).push_back(i);
    }
  }

  Problem problem;
  RowTerms terms;
  Vector fitted, exact_terms;
  std::vector<Index> open, undefined;
};

// A row beside a jump comes near to the other side when the jump moves over it. Seven in ten of the
// differences lie beyond what the step of the formula alone would say, next to none beyond the reach.
TEST(Reach, OfASignalTakesInTheOtherSideOfAJump) {
  double beyond = 0.0;
  double beyond_step = 0.0;
  double all = 0.0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const SignalCase c(seed, 1.0);
    for (const Index i : c.open) {
      const double difference = std::abs(c.exact_terms[i] - c.terms.alo[i]);
      const double y = c.problem.data().response[i];
      const double step = std::abs(std::pow(y - c.fitted[i], 2) - c.terms.alo[i]);
      all += difference;
      beyond += std::max(0.0, difference - c.terms.reach[i]);
      beyond_step += std::max(0.0, difference - 3.0 * step);
    }
  }
  EXPECT_LT(beyond, 0.1 * all);
  EXPECT_GT(beyond_step, 0.3 * all);  // else the case shows nothing
}

TEST(Reach, RangesOfDifferencesAreThoseOfNeighbours) {
  const Problem problem = steps(1, 40);
  const Vector predictor = Vector::LinSpaced(40, 0.0, 39.0).array().square();
  const PredictionRanges ranges = signal_ranges(problem, predictor);
  EXPECT_EQ(ranges.low[0], 0.0);
  EXPECT_EQ(ranges.high[0], 1.0);
  EXPECT_EQ(ranges.low[7], 36.0);
  EXPECT_EQ(ranges.high[7], 64.0);
  EXPECT_EQ(signal_ranges(testing_support::medium_problem().problem(), Vector::Zero(40)).low.size(), 0);
}

// The interval of a sample has the exact mean nineteen times in twenty. Of 300 samples, sixty a signal, a
// tenth may miss it.
TEST(Reach, SamplesOfASignalHaveTheExactMeanInTheirInterval) {
  int missed = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const SignalCase c(seed, 1.0);
    for (std::uint64_t draw = 1; draw <= 60; ++draw) {
      RowTerms terms = c.terms;
      terms.exact(c.undefined) = c.exact_terms(c.undefined);
      const RowSample sample = sample_rows(terms, c.open, 60, draw);
      for (const Index i : sample.all()) terms.exact[i] = c.exact_terms[i];
      const DifferenceEstimate estimate = difference_estimate(terms, sample.drawn);
      missed += std::abs(estimate.mean - c.exact_terms.mean()) > estimate.half_width ? 1 : 0;
    }
  }
  EXPECT_LE(missed, 30);
}

// A drawn row beyond its reach says that others may be as well: K of them, as in the header.
TEST(DifferenceEstimate, GrantsUnseenRowsWhatASeenOneShowed) {
  const Index n = 100;
  RowTerms terms{Vector::Ones(n), Vector::Ones(n), Vector::Constant(n, std::nan("")), Vector::Zero(n)};
  std::vector<Index> drawn;
  for (Index i = 0; i < 20; ++i) drawn.push_back(i);
  for (const Index i : drawn) terms.exact[i] = 1.0;
  EXPECT_EQ(difference_estimate(terms, drawn).half_width, 0.0);
  terms.exact[3] = 1.5;
  const DifferenceEstimate estimate = difference_estimate(terms, drawn);
  const double kind = (100.0 - 9.5) * (1.0 - std::pow(0.05, 1.0 / 20.0));
  EXPECT_NEAR(estimate.half_width, student_quantile(19) * estimate.se + 0.5 * kind / 100.0, 1e-12);
  terms.reach[3] = 0.5;
  EXPECT_NEAR(difference_estimate(terms, drawn).half_width, student_quantile(19) * estimate.se, 1e-12);
}

}  // namespace
}  // namespace alo
