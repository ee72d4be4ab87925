// SPDX-License-Identifier: MIT
// Leave-one-out of smooth losses: the formula against derivatives of refits, its three forms against each
// other, exact leave-one-out against refits from nothing, and known special cases.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/leave_one_out.hpp"
#include "changed_problem.hpp"
#include "exact/smooth_problem.hpp"
#include "formula/hat.hpp"
#include "held_out.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::any_smooth_problem;
using testing_support::close;
using testing_support::comparable;
using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::is_determined;
using testing_support::leveled;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::reweighted;
using testing_support::separable_penalties;
using testing_support::size_of;

bool same_pattern(const Fit& a, const Fit& b) {
  return ((a.coefficients.array() != 0.0) == (b.coefficients.array() != 0.0)).all();
}

// The derivative test: with the weight of row i lowered by a share e, its linear predictor moves by
// e H_ii g_i, whatever the pattern of the fit without the row would be.
RC_GTEST_PROP(SmoothLoss, DerivativeInTheWeight, ()) {
  RandomProblem p = any_smooth_problem();
  p.frequency = false;
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_determined(problem, fit));
  const LocalModel model = local_model(problem, fit);
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit, Framework::primal);
  const Matrix steps = by_output(held_out.linear_predictor, problem.outputs()) - model.linear_predictor;
  const double share = 1e-5;
  for (Index i = 0; i < 2; ++i) {
    if (!comparable(held_out, i)) continue;
    Vector predicted = steps.row(i).transpose() * (1.0 - held_out.leverage[i]);
    if (problem.outputs() > 1) {
      const auto hat = hat_by_coefficients(model);
      if (!hat) continue;
      predicted = block(hat->blocks, i) * model.derivative.row(i).transpose();
      predicted.array() -= predicted.mean();
    }
    const Problem lowered = reweighted(p, problem, i, 1.0 - share);
    const Problem raised = reweighted(p, problem, i, 1.0 + share);
    const Fit below = fit_at(lowered, lambda);
    const Fit above = fit_at(raised, lambda);
    // A knot within 1e-5: the derivative is one-sided.
    if (!same_pattern(fit, below) || !same_pattern(fit, above)) continue;
    const Vector move = (below.linear_predictor - above.linear_predictor) / (2.0 * share);
    // Central differences: what is left is e^2 and the tolerance of the fits over e.
    RC_ASSERT(close(predicted, leveled(problem, move).row(i).transpose(), size_of(problem, fit), 1e-5));
  }
}

RC_GTEST_PROP(SmoothLoss, PrimalDualAndCarriedAgree, ()) {
  const RandomProblem p = any_smooth_problem();
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem), {.carry_hat = true});
  RC_PRE(is_determined(problem, fit));
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
  const Matrix expected = leveled(problem, primal.linear_predictor);
  const Matrix by_dual = leveled(problem, dual.linear_predictor);
  const Matrix by_hat = leveled(problem, carried.linear_predictor);
  const double size = size_of(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!comparable(primal, i)) continue;
    RC_ASSERT(close(expected.row(i), by_dual.row(i), size, 1e-8));
    RC_ASSERT(close(expected.row(i), by_hat.row(i), size, 1e-8));
    RC_ASSERT(std::abs(primal.leverage[i] - dual.leverage[i]) <= 1e-8);
    RC_ASSERT(std::abs(primal.leverage[i] - carried.leverage[i]) <= 1e-8);
  }
}

// Rows without curvature in the n x n form, beside the p x p one.
RC_GTEST_PROP(SmoothLoss, FlatRowsWithMoreColumnsThanRows, ()) {
  RandomProblem p = *any_problem({"ridge"}, {"huber", "squared-hinge"});
  p.columns = p.rows + *rc::gen::inRange<Index>(1, 20);
  p.lambda_share *= *rc::gen::element(1.0, 0.01);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
  const LocalModel model = local_model(problem, fit);
  const HatBlocks by_rows = hat_by_rows(model);
  const auto by_coefficients = hat_by_coefficients(model);
  RC_PRE(by_coefficients.has_value());
  for (Index i = 0; i < problem.rows(); ++i) {
    if (model.derivative(i, 0) == 0.0) continue;
    const double expected = by_coefficients->blocks(i, 0);
    RC_ASSERT(std::abs(by_rows.blocks(i, 0) - expected) <= 1e-8 * expected);
    if (model.curvature(i, 0) == 0.0) RC_ASSERT((*by_rows.complement)[i] == 1.0);
  }
}

RC_GTEST_PROP(SmoothLoss, ExactLeaveOneOutEqualsRefitsFromNothing, ()) {
  RandomProblem p = any_smooth_problem();
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  for (const Index i : {Index{0}, Index{2}, problem.rows() - 1}) {
    const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {i});
    const LeaveOneOut& values = exact.values.at(0);
    if (is_undefined(values.flags[static_cast<std::size_t>(i)])) continue;
    const Problem without = reweighted(p, problem, i, 1.0 - problem.removed_share(i));
    if (!has_fit(without)) continue;
    const Fit refit = fit_at(without, lambda);
    if (!is_determined(without, refit)) continue;
    RC_ASSERT(refit.status == FitStatus::converged);
    RC_ASSERT(exact.missed() == 0);
    const Matrix predictions = leveled(problem, values.linear_predictor);
    const Matrix expected = leveled(without, refit.linear_predictor);
    RC_ASSERT(close(predictions.row(i), expected.row(i), size_of(problem, fit), 1e-7));
  }
}

// Huber with nobody beyond delta, and squared hinge with everybody within the margin, are squared losses.
TEST(SmoothLoss, RowsThatNeverReachTheBendAreSquared) {
  for (const std::string& penalty : separable_penalties()) {
    for (const Index columns : {6, 40}) {
      RandomProblem p;
      p.penalty = penalty;
      p.columns = columns;
      const Problem squared = p.problem();
      const Dataset data = p.dataset();
      p.loss = "huber";
      p.delta = 1e4;
      const Problem huber = p.problem(data);
      const double lambda = 0.1 * lambda_start(squared);
      const Fit one = fit_at(squared, lambda);
      const Fit two = fit_at(huber, lambda);
      EXPECT_LT(max_difference(one.coefficients, two.coefficients), 1e-8) << p;
      const LeaveOneOut left = approximate_leave_one_out(squared, one);
      const LeaveOneOut right = approximate_leave_one_out(huber, two);
      for (Index i = 0; i < squared.rows(); ++i) {
        if (!comparable(left, i)) continue;
        EXPECT_NEAR(left.linear_predictor[i], right.linear_predictor[i], 1e-7) << p << ", row " << i;
      }
      EXPECT_LT(max_difference(exact_predictor(squared, one), exact_predictor(huber, two)), 1e-7) << p;
    }
  }
}

// Two classes as a multinomial: u = u_1 - u_0, and with a ridge u_1 = -u_0 = u / 2, so that lambda doubles.
TEST(SmoothLoss, MultinomialOfTwoClassesIsLogistic) {
  for (const bool intercept : {true, false}) {
    RandomProblem p;
    p.penalty = "ridge";
    p.loss = "logistic";
    p.intercept = intercept;
    const Problem logistic = p.problem();
    Dataset data = p.dataset();
    data.response = (data.response.array() + 1.0) / 2.0;
    ModelParameters parameters;
    parameters.classes = 2;
    const Problem multinomial(std::move(data), make_loss("multinomial", parameters), p.make_penalty_model(),
                              {intercept, true});
    const double lambda = 0.1 * lambda_start(logistic);
    const Fit one = fit_at(logistic, lambda);
    const Fit two = fit_at(multinomial, 2.0 * lambda);
    const auto margin = [](const Matrix& logits) { return Vector(logits.col(1) - logits.col(0)); };
    EXPECT_LT(max_difference(one.linear_predictor, margin(by_output(two.linear_predictor, 2))), 1e-8);
    EXPECT_LT(
        max_difference(approximate_leave_one_out(logistic, one).linear_predictor,
                       margin(by_output(approximate_leave_one_out(multinomial, two).linear_predictor, 2))),
        1e-8);
    EXPECT_LT(max_difference(exact_predictor(logistic, one),
                             margin(by_output(exact_predictor(multinomial, two), 2))),
              1e-8);
  }
}

}  // namespace
}  // namespace alo
