// SPDX-License-Identifier: MIT
// Leave-one-out of smooth losses: the formula against derivatives of refits, its three forms against each
// other, exact leave-one-out against refits from nothing, and the symmetries of all of them.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Eigenvalues>

#include "alo/leave_one_out.hpp"
#include "changed_problem.hpp"
#include "formula/hat.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::has_fit;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::repeated_rows;
using testing_support::reweighted;
using testing_support::smooth_losses;
using testing_support::with_rows;

const std::vector<std::string> penalties = {"lasso", "elastic-net", "ridge"};

RandomProblem any_smooth_problem() {
  return *any_problem(penalties, smooth_losses());
}

Fit fit_at(const Problem& problem, double lambda, const FitOptions& options = {}) {
  return fit_path(problem, {lambda}, options).fits.at(0);
}

// One row per row, one column per output. A number added to every output changes nothing: it is taken out.
Matrix leveled(const Problem& problem, const Vector& predictor) {
  Matrix result = by_output(predictor, problem.outputs());
  if (problem.outputs() > 1) result.colwise() -= result.rowwise().mean().eval();
  return result;
}

// What errors are relative to: the size of the linear predictors, and of the one at hand, which a leverage
// near one makes large.
double size_of(const Problem& problem, const Fit& fit) {
  return 1.0 + leveled(problem, fit.linear_predictor).cwiseAbs().maxCoeff();
}

bool close(const Matrix& a, const Matrix& b, double size, double tolerance) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * (size + a.cwiseAbs().maxCoeff());
}

// Rows that are neither flagged nor so close to leverage one that rounding rules. With several outputs the
// leverage is a sum of as many.
bool comparable(const LeaveOneOut& held_out, Index i) {
  return held_out.flags[static_cast<std::size_t>(i)] == RowFlag::none && held_out.leverage[i] < 0.99;
}

// True where the fit is the only one, and not by a hair: coefficients that are zero but whose slope is at the
// edge of its interval are let free as well, and what is left must have curvature in every direction,
// relative to the columns. Not so with columns that depend on each other, classes that unpenalised columns
// separate, or a flat loss.
bool is_determined(const Problem& problem, const Fit& fit) {
  const auto curvature = [&](double shift) {
    return problem.loss().curvature(fit.linear_predictor.array() + shift, problem.data().response);
  };
  if (max_difference(curvature(1e-6), curvature(-1e-6)) > 0.5) return false;  // on a bend of the loss
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const Vector derivative = problem.loss().derivative(fit.linear_predictor, problem.data().response);
  const Matrix gradient = problem.data().weights.asDiagonal() * by_output(derivative, problem.outputs());
  const Matrix slopes = problem.design().transpose_multiply_columns(gradient);
  Fit wider = fit;
  auto coefficients = by_output(wider.coefficients, problem.outputs());
  for (Index k = 0; k < problem.outputs(); ++k) {
    for (Index j = 0; j < problem.columns(); ++j) {
      const double bound = fit.lambda * terms.absolute[j];
      if (coefficients(j, k) == 0.0 && std::abs(slopes(j, k)) >= (1.0 - 1e-5) * bound) {
        coefficients(j, k) = 1e-100;
      }
    }
  }
  const LocalModel model = local_model(problem, wider);
  const Matrix& a = model.tangent_design;
  if (a.cols() == 0) return true;
  const Matrix root = root_times_design(model);
  Matrix system = root.transpose() * root;
  system.diagonal() += model.penalty_curvature;
  const Vector size =
      (problem.data().weights.maxCoeff() * a.colwise().squaredNorm().transpose() + model.penalty_curvature)
          .cwiseSqrt();
  const Matrix relative = size.cwiseInverse().asDiagonal() * system * size.cwiseInverse().asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Matrix>(relative).eigenvalues()[0] > 1e-6;
}

bool same_pattern(const Fit& a, const Fit& b) {
  return ((a.coefficients.array() != 0.0) == (b.coefficients.array() != 0.0)).all();
}

Matrix exact_row(const Problem& problem, const Fit& fit, Index row) {
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {row});
  return leveled(problem, exact.values.at(0).linear_predictor).row(row);
}

Matrix refits(const Problem& problem, const Fit& fit) {
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem));
  return leveled(problem, exact.values.at(0).linear_predictor);
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
    RC_ASSERT(exact.missed == 0);
    const Matrix predictions = leveled(problem, values.linear_predictor);
    const Matrix expected = leveled(without, refit.linear_predictor);
    RC_ASSERT(close(predictions.row(i), expected.row(i), size_of(problem, fit), 1e-7));
  }
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
  const Matrix values =
      data.design.is_sparse() ? Matrix(data.design.sparse_values()) : data.design.dense_values();
  data.design = Design(Matrix(factor * values));
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
  const RandomProblem p = *any_problem(penalties, {"logistic", "probit", "squared-hinge", "multinomial"});
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
  RandomProblem p = *any_problem(penalties, {"huber", "pseudo-huber"});
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

// Huber with nobody beyond delta, and squared hinge with everybody within the margin, are squared losses.
TEST(SmoothLoss, RowsThatNeverReachTheBendAreSquared) {
  for (const std::string& penalty : penalties) {
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
      EXPECT_LT((refits(squared, one) - refits(huber, two)).cwiseAbs().maxCoeff(), 1e-7) << p;
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
    EXPECT_LT(max_difference(refits(logistic, one).col(0), margin(refits(multinomial, two))), 1e-8);
  }
}

}  // namespace
}  // namespace alo
