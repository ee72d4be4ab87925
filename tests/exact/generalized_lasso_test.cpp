// SPDX-License-Identifier: MIT
// Penalties lambda |D b|_1: certificates, the forms of the leave-one-out formula against each other and
// against derivatives of refits, exact leave-one-out against refits.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "alo/leave_one_out.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "random_problem.hpp"
#include "random_terms.hpp"

namespace alo {
namespace {

using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::max_difference;
using testing_support::RandomProblem;

// A random problem with one of the penalties.
struct Structured {
  RandomProblem base;
  std::string kind;

  Penalty penalty() const {
    const Index p = base.columns;
    if (kind == "fused") return GeneralizedLasso::differences(p, 1, "fused-lasso");
    if (kind == "trend") return GeneralizedLasso::differences(p, 2, "trend-filter");
    if (kind == "cubic") return GeneralizedLasso::differences(p, 3, "trend-filter");
    if (kind == "wavelet") return GeneralizedLasso::haar(p);
    if (kind == "union") {
      const Matrix first = GeneralizedLasso::differences(p, 1, "fused-lasso").analysis()->matrix().toDense();
      const Matrix second =
          GeneralizedLasso::differences(p, 2, "trend-filter").analysis()->matrix().toDense();
      Matrix both(first.rows() + second.rows(), p);
      both << first, second;
      return GeneralizedLasso(both.sparseView());
    }
    if (kind == "dependent") return testing_support::dependent_terms(p, base.seed + 3);
    std::mt19937 generator(base.seed + 3);
    std::normal_distribution<double> normal;
    const Index rows = std::max<Index>(1, p - 2);
    const Matrix d = Matrix::NullaryExpr(std::min(rows, p), p, [&] { return normal(generator); });
    return GeneralizedLasso(d.sparseView());
  }
  Problem problem() const { return problem(base.dataset()); }
  Problem problem(Dataset data) const {
    return {std::move(data), base.make_loss_model(), penalty(), {base.intercept, base.standardize}};
  }
};

std::ostream& operator<<(std::ostream& stream, const Structured& s) {
  return stream << s.kind << ": " << s.base;
}

Structured any_structured(std::vector<std::string> losses) {
  Structured s;
  s.base = *testing_support::any_problem({"lasso"}, std::move(losses));
  s.base.columns = *rc::gen::inRange<Index>(1, 25);
  s.base.sparse = false;  // columns of few rows in a column are dependent, and fits not unique
  s.kind =
      *rc::gen::element<std::string>("fused", "trend", "cubic", "wavelet", "matrix", "union", "dependent");
  // With dependent rows a loss needs curvature for its steps to end soon.
  const bool dependent = s.kind == "union" || s.kind == "dependent";
  if (dependent && s.base.loss == "huber") s.kind = "matrix";
  return s;
}

const std::vector<std::string> losses = {"squared", "logistic", "poisson", "huber", "multinomial"};

// Independent columns, and not by a hair.
bool has_full_rank(const Matrix& columns) {
  if (columns.cols() == 0) return true;
  Matrix unit = columns;
  for (Index j = 0; j < unit.cols(); ++j) unit.col(j) /= std::max(1e-300, unit.col(j).norm());
  Eigen::ColPivHouseholderQR<Matrix> factor(unit);
  factor.setThreshold(1e-4);
  return factor.rank() == unit.cols();
}

// Neither rows that are fitted without error nor classes told apart, where rounding rules.
bool is_plain(const Fit& fit) {
  return fit.status == FitStatus::converged && fit.unexplained > 0.02;
}

// Directions that nothing penalises, few enough for the rows, and something beside rounding to explain.
bool is_determined(const Problem& problem) {
  return has_full_rank(unpenalized_columns(problem, null_lambda)) && lambda_start(problem) > 1e-8;
}

RC_GTEST_PROP(GeneralizedLasso, EveryFitIsCertified, ()) {
  const Structured s = any_structured(losses);
  const Problem problem = s.problem();
  RC_PRE(has_fit(problem));
  RC_PRE(is_determined(problem));
  const double start = lambda_start(problem);
  // Sums of the third order are nearly dependent columns, with large coefficients that cancel.
  const double tolerance = s.kind == "cubic" ? 1e-9 : 1e-10;
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.03 * start}).fits) {
    RC_LOG() << s << " lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1) << " kkt "
             << fit.certificate.kkt << '\n';
    if (fit.unexplained < 1e-3) break;  // classes told apart
    RC_ASSERT(meets(fit.certificate, tolerance));
    RC_ASSERT(fit.certificate.kkt < 1e3 * tolerance);
  }
}

// From the solution at the lambda before, Newton's steps end beside the solution, with a slope of seven times
// lambda. From the null fit they do not.
TEST(GeneralizedLasso, AMissedFitIsTriedAgain) {
  Structured s;
  s.kind = "cubic";
  s.base.loss = "huber";
  s.base.delta = 0.1;
  s.base.seed = 107757;
  s.base.rows = 17;
  s.base.columns = 18;
  s.base.intercept = false;
  s.base.weights = true;
  const Problem problem = s.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start}).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda;
  }
}

RC_GTEST_PROP(GeneralizedLasso, AllFormsOfTheFormulaAgree, ()) {
  const Structured s = any_structured(losses);
  const Problem problem = s.problem();
  RC_PRE(has_fit(problem));
  RC_PRE(is_determined(problem));
  const double lambda = s.base.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda, {.carry_hat = true});
  RC_PRE(is_plain(fit));
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
  const double fitted = problem.loss().mean(fit.linear_predictor).lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < problem.rows(); ++i) {
    if (primal.flags[static_cast<std::size_t>(i)] != RowFlag::none || primal.leverage[i] > 0.99) continue;
    const auto mean = [&](const LeaveOneOut& held_out) {
      return Vector(
          by_output(Vector(problem.loss().mean(held_out.linear_predictor)), problem.outputs()).row(i));
    };
    // An error of a predictor far away is one share of it, and of the mean so many times more.
    const double far = by_output(primal.linear_predictor, problem.outputs()).row(i).lpNorm<Eigen::Infinity>();
    const double size = (1.0 + fitted + mean(primal).lpNorm<Eigen::Infinity>()) * (1.0 + far);
    RC_LOG() << s << " row " << i << " dual " << max_difference(mean(primal), mean(dual)) << " carried "
             << max_difference(mean(primal), mean(carried)) << " of " << size << '\n';
    RC_ASSERT(max_difference(mean(primal), mean(dual)) < 1e-8 * size);
    RC_ASSERT(max_difference(mean(primal), mean(carried)) < 1e-7 * size);
  }
}

// With the weight of a row lowered by a share, its linear predictor moves by that share times H_ii g_i.
RC_GTEST_PROP(GeneralizedLasso, DerivativeInTheWeight, ()) {
  Structured s = any_structured({"squared", "logistic", "poisson", "huber"});
  s.base.frequency = false;
  s.base.standardize = false;
  const Problem problem = s.problem();
  RC_PRE(has_fit(problem));
  RC_PRE(is_determined(problem));
  const double lambda = s.base.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_plain(fit));
  const LocalModel model = local_model(problem, fit);
  RC_PRE(has_full_rank(model.curvature.col(0).cwiseSqrt().asDiagonal() * model.tangent_design));
  const Index row = *rc::gen::inRange<Index>(0, problem.rows());
  const double share = 1e-6;
  Dataset data = s.base.dataset();
  data.weights[row] *= 1.0 - share;
  const Fit moved = fit_at(s.problem(std::move(data)), lambda);
  // Only where the pattern stays: else the derivative has two sides.
  const auto pattern = [&](const Fit& one) { return (one.multipliers.array().abs() >= lambda).eval(); };
  RC_PRE((pattern(moved) == pattern(fit)).all());
  Matrix system =
      model.tangent_design.transpose() * model.curvature.col(0).asDiagonal() * model.tangent_design;
  RC_PRE(moved.status == FitStatus::converged);
  const Vector own = model.tangent_design.row(row);
  const double hat = system.size() == 0 ? 0.0 : own.dot(system.fullPivLu().solve(own));
  const double expected = hat * model.derivative(row, 0);
  const double change = (moved.linear_predictor[row] - fit.linear_predictor[row]) / share;
  RC_LOG() << s << " expected " << expected << " change " << change << '\n';
  RC_ASSERT(std::abs(change - expected) < 1e-3 * (1.0 + std::abs(expected)));
}

RC_GTEST_PROP(GeneralizedLasso, ExactEqualsRefits, ()) {
  Structured s = any_structured({"squared", "squared", "logistic", "poisson", "huber"});
  s.base.standardize = false;
  s.base.frequency = false;
  const Problem problem = s.problem();
  RC_PRE(has_fit(problem));
  RC_PRE(is_determined(problem));
  const Fit fit = fit_at(problem, s.base.lambda_share * lambda_start(problem));
  RC_PRE(fit.status == FitStatus::converged);
  const Index row = *rc::gen::inRange<Index>(0, problem.rows());
  Dataset data = s.base.dataset();
  data.weights[row] = 0.0;
  const Problem without = s.problem(std::move(data));
  RC_PRE(has_fit(without));
  RC_PRE(is_determined(without));
  const Fit refit = fit_at(without, fit.lambda);
  RC_PRE(is_plain(refit));
  // Unique: as many directions as the rows that are left determine.
  const LocalModel model = local_model(without, refit);
  const Matrix seen = model.curvature.col(0).cwiseSqrt().asDiagonal() * model.tangent_design;
  RC_PRE(has_full_rank(seen));
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {row});
  RC_LOG() << s << " row " << row << '\n';
  const double size = 1.0 + refit.linear_predictor.lpNorm<Eigen::Infinity>();
  RC_ASSERT(std::abs(exact.values[0].linear_predictor[row] - refit.linear_predictor[row]) < 1e-6 * size);
}

}  // namespace
}  // namespace alo
