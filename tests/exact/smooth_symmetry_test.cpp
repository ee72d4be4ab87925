// SPDX-License-Identifier: MIT
// What must not change leave-one-out of smooth losses: copies in place of weights, the order of rows, units
// of columns, names of classes, a shift of the response.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/leave_one_out.hpp"
#include "changed_problem.hpp"
#include "exact/smooth_problem.hpp"
#include "held_out.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::any_smooth_problem;
using testing_support::close;
using testing_support::comparable;
using testing_support::design_values;
using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::is_determined;
using testing_support::leveled;
using testing_support::RandomProblem;
using testing_support::repeated_rows;
using testing_support::reweighted;
using testing_support::separable_penalties;
using testing_support::size_of;
using testing_support::smooth_losses;
using testing_support::with_rows;

Matrix exact_row(const Problem& problem, const Fit& fit, Index row) {
  return leveled(problem, exact_predictor(problem, fit, {row})).row(row);
}

RC_GTEST_PROP(SmoothLoss, RepeatedRowsAreFrequencyWeights, ()) {
  RandomProblem p = any_smooth_problem();
  p.weights = false;
  p.frequency = true;
  const Problem counted = p.problem();
  RC_PRE(has_fit(counted));
  auto [repeated, copies] = repeated_rows(p.dataset());
  const Problem plain = p.problem(std::move(repeated));
  const double start = lambda_start(counted);
  // Of a ridge it is found from the share that a fit explains, to six digits of which.
  RC_ASSERT(std::abs(start - lambda_start(plain)) <= 1e-5 * start);
  const Fit one = fit_at(counted, p.lambda_share * start);
  RC_PRE(is_determined(counted, one));
  const Fit other = fit_at(plain, p.lambda_share * start);
  const double size = size_of(counted, one);
  const Matrix fitted = leveled(counted, one.linear_predictor);
  RC_ASSERT(close(fitted(copies, Eigen::all), leveled(plain, other.linear_predictor), size, 1e-7));
  const LeaveOneOut by_weight = approximate_leave_one_out(counted, one);
  const LeaveOneOut by_row = approximate_leave_one_out(plain, other);
  const Matrix left = leveled(counted, by_weight.linear_predictor);
  const Matrix right = leveled(plain, by_row.linear_predictor);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const auto row = static_cast<Index>(k);
    if (!comparable(by_row, row)) continue;
    RC_ASSERT(close(left.row(copies[k]), right.row(row), size, 1e-7));
  }
  // One copy fewer of the first row.
  const Problem fewer = reweighted(p, counted, 0, 1.0 - counted.removed_share(0));
  const Matrix exact = exact_row(counted, one, 0);
  if (exact.hasNaN() || !has_fit(fewer) || !is_determined(fewer, fit_at(fewer, one.lambda))) return;
  RC_ASSERT(close(exact, exact_row(plain, other, 0), size, 1e-7));
}

RC_GTEST_PROP(SmoothLoss, OrderOfRowsDoesNotMatter, ()) {
  const RandomProblem p = any_smooth_problem();
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  std::vector<Index> order = all_rows(problem);
  std::shuffle(order.begin(), order.end(), std::mt19937(p.seed));
  const Problem permuted = p.problem(with_rows(p.dataset(), order));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_determined(problem, fit));
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut other = approximate_leave_one_out(permuted, fit_at(permuted, lambda));
  const Matrix left = leveled(problem, one.linear_predictor);
  const Matrix right = leveled(problem, other.linear_predictor);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!comparable(one, order[k])) continue;
    RC_ASSERT(close(left.row(order[k]), right.row(static_cast<Index>(k)), size_of(problem, fit), 1e-7));
  }
}

// Columns times c with lambda times c (absolute values) or c^2 (squares): the same predictions.
RC_GTEST_PROP(SmoothLoss, UnitsOfTheColumnsGoWithLambda, ()) {
  RandomProblem p = *any_problem({"lasso", "ridge"}, smooth_losses());
  p.standardize = false;
  const double factor = -8.0;  // a power of two: no rounding; the sign is nobody's business
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  Dataset data = p.dataset();
  data.design = Design(Matrix(factor * design_values(data)));
  const Problem scaled = p.problem(std::move(data));
  const double lambda = p.lambda_share * lambda_start(problem);
  const double power = p.penalty == "lasso" ? 1.0 : 2.0;
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_determined(problem, fit));
  const Fit other = fit_at(scaled, lambda * std::pow(std::abs(factor), power));
  const double size = size_of(problem, fit);
  RC_ASSERT(
      close(leveled(problem, fit.linear_predictor), leveled(scaled, other.linear_predictor), size, 1e-7));
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut two = approximate_leave_one_out(scaled, other);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!comparable(one, i)) continue;
    RC_ASSERT(close(leveled(problem, one.linear_predictor).row(i),
                    leveled(scaled, two.linear_predictor).row(i), size, 1e-7));
  }
}

// The other class called +1: the other sign of everything.
RC_GTEST_PROP(SmoothLoss, NamesOfTheClassesDoNotMatter, ()) {
  const RandomProblem p =
      *any_problem(separable_penalties(), {"logistic", "probit", "squared-hinge", "multinomial"});
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  Dataset data = p.dataset();
  std::vector<Index> outputs = {0};
  double sign = -1.0;
  if (problem.outputs() > 1) {
    data.response = data.response.unaryExpr([](double label) { return std::fmod(label + 1.0, 3.0); });
    outputs = {1, 2, 0};  // class k is now k + 1
    sign = 1.0;
  } else {
    data.response *= -1.0;
    data.offset *= -1.0;
  }
  const Problem renamed = p.problem(std::move(data));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_determined(problem, fit));
  const Fit other = fit_at(renamed, lambda);
  const auto turned = [&](const Vector& predictor) {
    return Matrix(sign * leveled(renamed, predictor)(Eigen::all, outputs));
  };
  const double size = size_of(problem, fit);
  RC_ASSERT(close(leveled(problem, fit.linear_predictor), turned(other.linear_predictor), size, 1e-7));
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut two = approximate_leave_one_out(renamed, other);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!comparable(one, i)) continue;
    RC_ASSERT(close(leveled(problem, one.linear_predictor).row(i), turned(two.linear_predictor).row(i), size,
                    1e-7));
  }
}

RC_GTEST_PROP(SmoothLoss, AShiftOfTheResponseMovesPredictionsWithAnIntercept, ()) {
  RandomProblem p = *any_problem(separable_penalties(), {"huber", "pseudo-huber"});
  p.intercept = true;
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  Dataset data = p.dataset();
  data.response.array() += 64.0;
  const Problem shifted = p.problem(std::move(data));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_determined(problem, fit));
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut two = approximate_leave_one_out(shifted, fit_at(shifted, lambda));
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!comparable(one, i)) continue;
    RC_ASSERT(std::abs(one.linear_predictor[i] + 64.0 - two.linear_predictor[i]) <=
              1e-7 * (size_of(problem, fit) + std::abs(one.linear_predictor[i])));
  }
}

}  // namespace
}  // namespace alo
