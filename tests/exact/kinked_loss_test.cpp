// SPDX-License-Identifier: MIT
// Losses with kinks: certificates, the leave-one-out formula against derivatives of refits, its forms against
// each other, exact leave-one-out against fits from nothing, and symmetries.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/QR>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/absolute.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "changed_problem.hpp"
#include "formula/hat.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::fit_at;
using testing_support::kinked_losses;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::repeated_rows;
using testing_support::reweighted;
using testing_support::with_rows;

double size_of(const Fit& fit) {
  return 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
}

bool is_pinned(const LocalModel& model, Index i) {
  return std::binary_search(model.pinned.begin(), model.pinned.end(), i);
}

// The unpenalised columns are determined by the pinned rows: the fit is unique.
bool is_unique(const LocalModel& model) {
  std::vector<Index> free;
  for (Index k = 0; k < model.dimension(); ++k) {
    if (model.penalty_curvature[k] == 0.0) free.push_back(k);
  }
  if (free.empty()) return true;
  const Matrix pinned = model.tangent_design(model.pinned, free);
  if (pinned.rows() < pinned.cols()) return false;
  return Eigen::ColPivHouseholderQR<Matrix>(pinned).rank() == pinned.cols();
}

// Every row stands clearly where it does: pinned ones have gradients away from both slopes, the others are
// away from kinks. Then a small change of the data changes no place.
bool is_strict(const Problem& problem, const Fit& fit) {
  const Kinks kinks = problem.loss().kinks(problem.data().response);
  const LocalModel model = local_model(problem, fit);
  if (!is_unique(model)) return false;
  for (Index i = 0; i < problem.rows(); ++i) {
    const double weight = problem.data().weights[i];
    const double to_slope = (weight * kinks.slope.row(i).array() - fit.subgradient[i]).abs().minCoeff();
    const double to_kink = (kinks.position.row(i).array() - fit.linear_predictor[i]).abs().minCoeff();
    if (is_pinned(model, i) ? to_slope < 1e-3 * weight : to_kink < 1e-3) return false;
  }
  return true;
}

RC_GTEST_PROP(KinkedLoss, EveryFitIsCertified, ()) {
  const RandomProblem p = *any_problem({"ridge", "elastic-net", "lasso"}, kinked_losses());
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.01 * start}).fits) {
    RC_ASSERT(fit.status == FitStatus::converged);
    RC_ASSERT(fit.certificate.gap.value_or(0.0) <= 1e-10);
    RC_ASSERT(fit.certificate.kkt <= 1e-8);
  }
}

// At the start of a path nothing penalised is at work, and just below something is.
RC_GTEST_PROP(KinkedLoss, PathsOfAbsoluteValuesBeginAtZero, ()) {
  RandomProblem p = *any_problem({"elastic-net", "lasso"}, kinked_losses());
  p.penalty_weights = false;
  const Problem problem = p.problem();
  RC_ASSERT(fit_at(problem, 1.001 * lambda_start(problem)).coefficients.isZero(1e-9));
}

RC_GTEST_PROP(KinkedLoss, PrimalDualAndCarriedAgree, ()) {
  const RandomProblem p = *any_problem({"ridge", "elastic-net"}, kinked_losses());
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem), {.carry_hat = true});
  RC_PRE(is_strict(problem, fit));
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (primal.flags[static_cast<std::size_t>(i)] != RowFlag::none) continue;
    const double size = size_of(fit) + std::abs(primal.linear_predictor[i]);
    RC_ASSERT(std::abs(primal.linear_predictor[i] - dual.linear_predictor[i]) <= 1e-7 * size);
    RC_ASSERT(std::abs(primal.linear_predictor[i] - carried.linear_predictor[i]) <= 1e-7 * size);
  }
}

// With the weight of a row on a piece lowered by a share e its linear predictor moves by e a_i g_i; a pinned
// row stays at its kink.
RC_GTEST_PROP(KinkedLoss, DerivativeInTheWeight, ()) {
  RandomProblem p = *any_problem({"ridge", "elastic-net"}, kinked_losses());
  p.frequency = false;
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_strict(problem, fit));
  const LocalModel model = local_model(problem, fit);
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
  const double share = 1e-6;
  for (Index i = 0; i < 3; ++i) {
    if (held_out.flags[static_cast<std::size_t>(i)] != RowFlag::none) continue;
    const Fit below = fit_at(reweighted(p, problem, i, 1.0 - share), lambda);
    const Fit above = fit_at(reweighted(p, problem, i, 1.0 + share), lambda);
    const double move = (below.linear_predictor[i] - above.linear_predictor[i]) / (2.0 * share);
    const double predicted =
        is_pinned(model, i) ? 0.0 : held_out.linear_predictor[i] - fit.linear_predictor[i];
    RC_ASSERT(std::abs(move - predicted) <= 1e-4 * (size_of(fit) + std::abs(predicted)));
  }
}

// With the kink of a pinned row moved by e its gradient moves by e / a_i.
RC_GTEST_PROP(KinkedLoss, DerivativeInTheKink, ()) {
  RandomProblem p = *any_problem({"ridge", "elastic-net"}, {"absolute", "quantile", "epsilon-insensitive"});
  p.frequency = false;
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_strict(problem, fit));
  const LocalModel model = local_model(problem, fit);
  const Vector hat = pinned_hat_by_rows(model);
  const double step = 1e-7;
  for (const Index i : model.pinned) {
    // NaN, a row that depends on others, or one whose gradient hardly moves.
    if (!(hat[i] > 1e-3 && hat[i] < 10.0)) continue;
    const auto moved = [&](double by) {
      Dataset data = p.dataset();
      data.response[i] += by;
      return fit_at(p.problem(std::move(data)), lambda).subgradient[i];
    };
    const double slope = (moved(step) - moved(-step)) / (2.0 * step);
    RC_ASSERT(std::abs(slope * hat[i] + 1.0) <= 1e-4);
  }
}

RC_GTEST_PROP(KinkedLoss, RowsInAnotherOrder, ()) {
  const RandomProblem p = *any_problem({"ridge", "elastic-net"}, kinked_losses());
  const Problem problem = p.problem();
  std::vector<Index> order = all_rows(problem);
  std::reverse(order.begin(), order.end());
  const Problem turned = p.problem(with_rows(p.dataset(), order));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_strict(problem, fit));
  const LeaveOneOut here = approximate_leave_one_out(problem, fit);
  const LeaveOneOut there = approximate_leave_one_out(turned, fit_at(turned, lambda));
  for (Index i = 0; i < problem.rows(); ++i) {
    const Index other = problem.rows() - 1 - i;
    RC_ASSERT(here.flags[static_cast<std::size_t>(i)] == there.flags[static_cast<std::size_t>(other)]);
    if (here.flags[static_cast<std::size_t>(i)] != RowFlag::none) continue;
    const double difference = std::abs(here.linear_predictor[i] - there.linear_predictor[other]);
    RC_ASSERT(difference <= 1e-7 * (size_of(fit) + std::abs(here.linear_predictor[i])));
  }
}

// Pinned rows have many gradients, one of which brings the slope of a zero coefficient to its edge.
TEST(KinkedLoss, AZeroCoefficientIsExactlyZero) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "elastic-net";
  p.mix = 0.9;
  p.seed = 58529;
  p.rows = 6;
  p.columns = 1;
  p.standardize = false;
  p.sparse = true;
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, 0.7 * lambda_start(problem));
  EXPECT_EQ(fit.coefficients[0], 0.0);
  EXPECT_LT(max_difference(approximate_leave_one_out(problem, fit).linear_predictor, fit.linear_predictor),
            1e-12);
}

// All coefficients are zero, so the intercept is the only direction and the kernel of the pinned rows is
// zero.
TEST(KinkedLoss, FormsAgreeWhereOnlyTheInterceptIsFree) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "elastic-net";
  p.mix = 0.2;
  p.rows = 6;
  p.columns = 1;
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, 0.03 * lambda_start(problem));
  EXPECT_EQ(fit.coefficients[0], 0.0);
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  EXPECT_EQ(primal.flags, std::vector<RowFlag>(6, RowFlag::none));
  EXPECT_EQ(dual.flags, primal.flags);
  EXPECT_LT(max_difference(dual.linear_predictor, primal.linear_predictor), 1e-14);
}

// An unpenalised column that is zero in all rows but two of one class puts these beyond the margin. There the
// objective is flat along it, and only rounding says that it falls.
TEST(KinkedLoss, ARowBeyondTheMarginGoesNoFarther) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "ridge";
  p.seed = 197767;
  p.rows = 8;
  p.columns = 5;
  p.intercept = false;
  p.offset = p.penalty_weights = p.sparse = true;
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.1 * start, 0.01 * start}).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda;
    EXPECT_LT(fit.linear_predictor.lpNorm<Eigen::Infinity>(), 100.0) << fit.lambda;
  }
}

// Where unpenalised columns fit every row a gap cannot be relative to what they leave.
TEST(KinkedLoss, NothingIsLeftToExplain) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "ridge";
  p.seed = 102569;
  p.rows = 13;
  p.columns = 14;
  p.weights = p.offset = p.penalty_weights = true;
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start}).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda;
  }
}

// A row that counts twice is the same row twice.
RC_GTEST_PROP(KinkedLoss, CopiesAreFrequencyWeights, ()) {
  RandomProblem p = *any_problem({"ridge", "elastic-net"}, kinked_losses());
  p.weights = false;
  p.frequency = true;
  p.standardize = false;
  const Problem problem = p.problem();
  auto [repeated, rows] = repeated_rows(p.dataset());
  const Problem copies = p.problem(std::move(repeated));
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(is_strict(problem, fit));
  const LeaveOneOut whole = approximate_leave_one_out(problem, fit);
  const LeaveOneOut single = approximate_leave_one_out(copies, fit_at(copies, lambda));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (whole.flags[static_cast<std::size_t>(rows[k])] != RowFlag::none || single.flags[k] != RowFlag::none) {
      continue;
    }
    const double difference =
        std::abs(whole.linear_predictor[rows[k]] - single.linear_predictor[static_cast<Index>(k)]);
    RC_ASSERT(difference <= 1e-6 * (size_of(fit) + std::abs(whole.linear_predictor[rows[k]])));
  }
}

// From the full fit, or from nothing.
RC_GTEST_PROP(KinkedLoss, ExactLeaveOneOutIsAFitWithoutTheRow, ()) {
  RandomProblem p = *any_problem({"ridge", "elastic-net", "lasso"}, kinked_losses());
  p.frequency = false;
  p.penalty_weights = false;  // several unpenalised columns that no pinned row holds may lie anywhere
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {0, 1});
  RC_ASSERT(exact.missed() == 0);
  if (p.penalty == "lasso") return;  // fits of a linear program need not be unique
  for (Index i = 0; i < 2; ++i) {
    const Fit without = fit_at(reweighted(p, problem, i, 0.0), lambda);
    const double difference = std::abs(without.linear_predictor[i] - exact.values.at(0).linear_predictor[i]);
    RC_ASSERT(difference <= 1e-6 * (size_of(fit) + std::abs(without.linear_predictor[i])));
  }
}

Problem small_svm(const Matrix& x, const Vector& y, bool intercept) {
  return {make_dataset(Design(x), y), HingeLoss{}, Ridge{}, {intercept, false}};
}

// Every row is within the margin at a large lambda: none is pinned, and leaving one out subtracts its part.
TEST(KinkedLoss, EmptyMarginSet) {
  const Matrix x{{1.0, 0.2}, {-0.5, 1.0}, {0.3, -1.0}, {-1.0, 0.1}};
  const Vector y{{1.0, -1.0, 1.0, -1.0}};
  const Problem problem = small_svm(x, y, false);
  const Fit fit = fit_at(problem, 100.0);
  EXPECT_TRUE(local_model(problem, fit).pinned.empty());
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem));
  EXPECT_LT(max_difference(held_out.linear_predictor, exact.values.at(0).linear_predictor), 1e-12);
  EXPECT_EQ(held_out.degrees_of_freedom, 0.0);
}

// Two copies of a row with opposite labels: neither can be on the margin of both, and nothing is NaN.
TEST(KinkedLoss, DuplicatedRowsWithOppositeLabels) {
  const Matrix x{{1.0, 0.5}, {1.0, 0.5}, {-1.0, 0.3}, {0.2, -1.0}, {-0.4, 0.8}};
  const Vector y{{1.0, -1.0, -1.0, 1.0, -1.0}};
  for (const double lambda : {10.0, 1.0, 0.1, 0.001}) {
    const Problem problem = small_svm(x, y, true);
    const Fit fit = fit_at(problem, lambda);
    EXPECT_EQ(fit.status, FitStatus::converged) << lambda;
    const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
    for (Index i = 0; i < 5; ++i) {
      EXPECT_TRUE(std::isfinite(held_out.linear_predictor[i]) ||
                  is_undefined(held_out.flags[static_cast<std::size_t>(i)]));
    }
  }
}

// Fewer columns than rows on the margin: the gradients are not unique, but no prediction depends on that.
TEST(KinkedLoss, AllRowsOnTheMargin) {
  const Matrix x{{1.0}, {-1.0}, {1.0}, {-1.0}, {1.0}};
  const Vector y{{1.0, -1.0, 1.0, -1.0, 1.0}};
  const Problem problem = small_svm(x, y, false);
  const Fit fit = fit_at(problem, 0.5);
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_NEAR(fit.coefficients[0], 1.0, 1e-10);
  const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
  EXPECT_LT(max_difference(held_out.linear_predictor, fit.linear_predictor), 1e-10);
}

TEST(KinkedLoss, ALinearProgramHasNoApproximation) {
  RandomProblem p = testing_support::medium_problem();
  p.loss = "absolute";
  const Problem problem = p.problem();
  const Fit fit = fit_at(problem, 0.1 * lambda_start(problem));
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_FALSE(has_approximation(problem));
  EXPECT_THROW(approximate_leave_one_out(problem, fit), InvalidArgument);
}

TEST(KinkedLoss, LambdaZeroIsRefused) {
  RandomProblem p = testing_support::medium_problem();
  p.loss = "hinge";
  p.penalty = "ridge";
  EXPECT_THROW(fit_path(p.problem(), {0.0}), InvalidData);
}

// Many rows for each column: worked on in bands.
TEST(KinkedLoss, ManyRows) {
  RandomProblem p;
  p.rows = 2000;
  p.columns = 5;
  p.penalty = "ridge";
  for (const std::string& loss : kinked_losses()) {
    p.loss = loss;
    const Problem problem = p.problem();
    const double start = lambda_start(problem);
    const Path path = fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.01 * start}, {.carry_hat = true});
    for (const Fit& fit : path.fits) {
      EXPECT_EQ(fit.status, FitStatus::converged) << loss;
      const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
      const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
      EXPECT_EQ(carried.flags, primal.flags) << loss;
      for (Index i = 0; i < problem.rows(); ++i) {
        if (carried.flags[static_cast<std::size_t>(i)] != RowFlag::none) continue;
        EXPECT_NEAR(carried.linear_predictor[i], primal.linear_predictor[i], 1e-7 * size_of(fit)) << loss;
      }
    }
  }
}

// With more columns than rows all are pinned from some lambda on, and one hat serves the rest of the path.
TEST(KinkedLoss, CarriedHatsFollowAPathWhoseRowsStay) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "ridge";
  p.rows = 20;
  p.columns = 60;
  for (const bool intercept : {false, true}) {
    p.intercept = intercept;
    const Problem problem = p.problem();
    for (const Fit& fit : fit_path(problem, {30.0, 3.0, 0.3, 0.03, 0.01}, {.carry_hat = true}).fits) {
      ASSERT_EQ(fit.hat.size(), problem.rows());
      const Vector carried = approximate_leave_one_out(problem, fit).linear_predictor;
      const Vector primal = approximate_leave_one_out(problem, fit, Framework::primal).linear_predictor;
      EXPECT_LE(max_difference(carried, primal), 1e-7 * (size_of(fit) + primal.lpNorm<Eigen::Infinity>()));
    }
  }
}

}  // namespace
}  // namespace alo
