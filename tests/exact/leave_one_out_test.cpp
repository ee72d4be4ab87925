// SPDX-License-Identifier: MIT
// Approximate leave-one-out against refits, and by its symmetries, on random problems with
// every feature (weights of both kinds, offset, intercept, standardisation, n < p and n > p,
// dense and sparse) switched at random.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/leave_one_out.hpp"
#include "changed_problem.hpp"
#include "held_out.hpp"
#include "random_problem.hpp"
#include "seed.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::design_values;
using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::repeated_rows;
using testing_support::varied;
using testing_support::with_rows;

// Errors are relative to the spread of the response; 1e-9 leaves room for leverages near one.
constexpr double tolerance = 1e-9;

double spread(const Problem& problem) {
  return 1.0 + problem.data().response.lpNorm<Eigen::Infinity>();
}

// A squared loss is exact up to leverages much nearer to one.
bool is_comparable(const LeaveOneOut& held_out, Index i) {
  return testing_support::comparable(held_out, i, 1.0 - 1e-4);
}

TEST(Ridge, ApproximateEqualsExactOnSixHundredProblems) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    RandomProblem p;
    p.seed = varied(seed);
    p.penalty = "ridge";
    p.rows = 6 + seed % 17;
    p.columns = 1 + seed % 29;
    p.intercept = seed % 2 == 0;
    p.standardize = seed % 3 != 0;
    p.weights = seed % 5 == 1;
    p.frequency = seed % 5 == 2;
    p.offset = seed % 7 < 3;
    p.penalty_weights = seed % 11 == 0;
    p.sparse = seed % 13 == 0;
    p.lambda_share = std::pow(10.0, -static_cast<double>(seed % 4));
    const Problem problem = p.problem();
    const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
    ASSERT_EQ(fit.status, FitStatus::converged) << p;
    const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
    const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
    const Vector exact = testing_support::refitted_predictor(problem, fit);
    const Vector by_method = exact_predictor(problem, fit);
    for (Index i = 0; i < problem.rows(); ++i) {
      if (!is_comparable(primal, i)) continue;
      ++compared;
      ASSERT_NEAR(by_method[i], exact[i], tolerance * spread(problem)) << p << " row " << i;
      ASSERT_NEAR(primal.linear_predictor[i], exact[i], tolerance * spread(problem)) << p << " row " << i;
      ASSERT_NEAR(dual.linear_predictor[i], exact[i], tolerance * spread(problem)) << p << " row " << i;
    }
  }
  EXPECT_GT(compared, 7000);
}

RC_GTEST_PROP(LeaveOneOut, PrimalEqualsDual, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
  RC_ASSERT(fit.status == FitStatus::converged);
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  for (Index i = 0; i < problem.rows(); ++i) {
    // An error in h is magnified by 1 / (1 - h)^2.
    if (!is_comparable(primal, i) || primal.leverage[i] > 0.99) continue;
    RC_ASSERT(std::abs(primal.linear_predictor[i] - dual.linear_predictor[i]) <= tolerance * spread(problem));
    RC_ASSERT(std::abs(primal.leverage[i] - dual.leverage[i]) <= tolerance);
  }
}

// One decomposition has the leverages of all lambdas, unless one is near one.
RC_GTEST_PROP(LeaveOneOut, ARidgeCarriesItsLeverages, ()) {
  const RandomProblem p = *any_problem({"ridge"});
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, p.lambda_share * start}, {.carry_hat = true}).fits) {
    const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
    const double largest = dual.leverage.maxCoeff();
    RC_ASSERT(fit.hat.size() == problem.rows() || largest > 0.99);
    const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
    RC_ASSERT(max_difference(carried.leverage, dual.leverage) <= tolerance);
    if (largest > 0.99) continue;
    RC_ASSERT(max_difference(carried.linear_predictor, dual.linear_predictor) <= tolerance * spread(problem));
  }
}

RC_GTEST_PROP(LeaveOneOut, CertifiedRowsEqualTheirRefit, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net"});
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
  const auto certified = certify_rows(problem, fit);
  const Vector exact = exact_predictor(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!is_comparable(held_out, i) || !certified[static_cast<std::size_t>(i)]) continue;
    const double error = std::abs(held_out.linear_predictor[i] - exact[i]);
    if (*certified[static_cast<std::size_t>(i)]) RC_ASSERT(error <= tolerance * spread(problem));
  }
}

// The derivative test: with the weight of row i lowered by a share e, its linear predictor
// moves by e H_ii g_i, whatever the active set of the fit without the row would be.
RC_GTEST_PROP(LeaveOneOut, DerivativeInTheWeight, ()) {
  RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  p.frequency = false;
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  const LocalModel model = local_model(problem, fit);
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
  const double share = 1e-6;
  for (Index i = 0; i < std::min<Index>(problem.rows(), 3); ++i) {
    if (!is_comparable(held_out, i)) continue;
    const double step = held_out.linear_predictor[i] - fit.linear_predictor[i];
    const double predicted = step * (1.0 - held_out.leverage[i]);  // H_ii g_i
    Dataset data = p.dataset();
    data.weights[i] *= 1.0 - share;
    // Scales must stay those of the whole data: fit the already scaled columns.
    data.design = Design(Matrix(problem.design().gather(testing_support::all_columns(problem))));
    RandomProblem frozen = p;
    frozen.standardize = false;
    const Problem lowered = frozen.problem(std::move(data));
    const Fit moved = fit_at(lowered, lambda);
    const bool same_pattern =
        ((moved.coefficients.array() != 0.0) == (fit.coefficients.array() != 0.0)).all();
    if (!same_pattern) continue;  // a knot within 1e-6: the derivative is one-sided
    const double observed = (moved.linear_predictor[i] - fit.linear_predictor[i]) / share;
    RC_ASSERT(std::abs(observed - predicted) <= 1e-4 * spread(problem));
  }
}

RC_GTEST_PROP(LeaveOneOut, RepeatedRowsAreFrequencyWeights, ()) {
  RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  p.weights = false;
  p.frequency = true;
  const Problem counted = p.problem();
  auto [repeated, copies] = repeated_rows(p.dataset());
  const Problem plain = p.problem(std::move(repeated));

  const double start = lambda_start(counted);
  RC_ASSERT(std::abs(start - lambda_start(plain)) <= 1e-9 * start);
  const Fit one = fit_at(counted, p.lambda_share * start);
  const Fit other = fit_at(plain, p.lambda_share * start);
  // Predictions, not coefficients: sparse columns may be copies of each other.
  RC_ASSERT(max_difference(one.linear_predictor(copies), other.linear_predictor) <= 1e-8 * spread(counted));
  const LeaveOneOut by_weight = approximate_leave_one_out(counted, one);
  const LeaveOneOut by_row = approximate_leave_one_out(plain, other);
  const Vector exact = exact_predictor(counted, one);
  const Vector exact_repeated = exact_predictor(plain, other);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const auto row = static_cast<Index>(k);
    if (!is_comparable(by_row, row)) continue;
    RC_ASSERT(std::abs(by_weight.linear_predictor[copies[k]] - by_row.linear_predictor[row]) <=
              1e-7 * spread(counted));
    RC_ASSERT(std::abs(exact[copies[k]] - exact_repeated[row]) <= 1e-7 * spread(counted));
  }
}

RC_GTEST_PROP(LeaveOneOut, OrderOfRowsDoesNotMatter, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  const Problem problem = p.problem();
  std::vector<Index> order = all_rows(problem);
  std::shuffle(order.begin(), order.end(), std::mt19937(p.seed));
  const Problem permuted = p.problem(with_rows(p.dataset(), order));
  const double lambda = p.lambda_share * lambda_start(problem);
  const LeaveOneOut one = approximate_leave_one_out(problem, fit_at(problem, lambda));
  const LeaveOneOut other = approximate_leave_one_out(permuted, fit_at(permuted, lambda));
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!is_comparable(one, order[k])) continue;
    // A leverage near one makes large predictions of small residuals, and of their rounding.
    const double value = one.linear_predictor[order[k]];
    RC_ASSERT(std::abs(value - other.linear_predictor[static_cast<Index>(k)]) <=
              1e-8 * (spread(problem) + std::abs(value)));
  }
}

// With standardisation, units of the columns and their signs are irrelevant to predictions.
RC_GTEST_PROP(LeaveOneOut, UnitsAndSignsOfColumnsDoNotMatter, ()) {
  RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  p.standardize = true;
  const Problem problem = p.problem();
  const Dataset data = p.dataset();
  Vector units(p.columns);
  for (Index j = 0; j < p.columns; ++j) units[j] = std::pow(-2.0, static_cast<double>(j % 7) - 3.0);
  Dataset changed = data;
  changed.design = Design(Matrix(design_values(data) * units.asDiagonal()));
  const Problem other = p.problem(std::move(changed));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit one_fit = fit_at(problem, lambda);
  const Fit other_fit = fit_at(other, lambda);
  RC_ASSERT(max_difference(one_fit.linear_predictor, other_fit.linear_predictor) <= 1e-8 * spread(problem));
  const LeaveOneOut one = approximate_leave_one_out(problem, one_fit);
  const LeaveOneOut two = approximate_leave_one_out(other, other_fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!is_comparable(one, i)) continue;
    RC_ASSERT(std::abs(one.linear_predictor[i] - two.linear_predictor[i]) <= 1e-8 * spread(problem));
  }
}

RC_GTEST_PROP(LeaveOneOut, AShiftOfTheResponseMovesPredictionsWithAnIntercept, ()) {
  RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  p.intercept = true;
  const Problem problem = p.problem();
  Dataset data = p.dataset();
  data.response.array() += 100.0;
  const Problem shifted = p.problem(std::move(data));
  const double lambda = p.lambda_share * lambda_start(problem);
  const LeaveOneOut one = approximate_leave_one_out(problem, fit_at(problem, lambda));
  const LeaveOneOut two = approximate_leave_one_out(shifted, fit_at(shifted, lambda));
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!is_comparable(one, i)) continue;
    RC_ASSERT(std::abs(one.linear_predictor[i] + 100.0 - two.linear_predictor[i]) <= 1e-8 * spread(problem));
  }
}

}  // namespace
}  // namespace alo
