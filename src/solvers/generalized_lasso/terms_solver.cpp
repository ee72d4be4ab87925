// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/terms_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/tolerances.hpp"
#include "penalties/term_pattern.hpp"
#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

using tolerances::objective_rounding;
// Safeguards: models for one fit, of which some tens are usual, and halvings of a step (to 1e-9 of it).
constexpr int most_term_models = 100;
constexpr int most_halvings = 30;
// The gradients of the loss and of D'u differ by at most this share of the larger of lambda and the largest
// slope of the null fit at a solution. At a tenth rounding of sums over some thousand rows is above it, and
// fits end by the next rule; at ten times they are a digit less exact.
constexpr double terms_converged = 1e-12;
// Below this share a difference that was not halved `patience` times in a row is rounding. At ten times fits
// that converge slowly may be given up with a certificate missed; at a tenth badly conditioned ones take all
// models.
constexpr double nearly_converged = 1e-9;
constexpr int patience = 3;
// A multiplier within this share of lambda is at lambda, and so marks its term: scaling by a ratio of lambdas
// rounds by some epsilon. Any value between 1e-15 and 1e-10 serves.
constexpr double mark_rounding = 1e-14;

// The block-diagonal matrix with one D for each output.
SparseMatrix repeated(const SparseMatrix& matrix, Index outputs) {
  if (outputs == 1) return matrix;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < outputs; ++k) {
    for (Index j = 0; j < matrix.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
        entries.emplace_back(static_cast<int>(k * matrix.rows() + entry.row()),
                             static_cast<int>(k * matrix.cols() + j), entry.value());
      }
    }
  }
  SparseMatrix result(outputs * matrix.rows(), outputs * matrix.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

TermsSolver::TermsSolver(const Problem& problem, Vector weights)
    : problem_(problem),
      analysis_(*problem.penalty().analysis()),
      terms_(repeated(analysis_.matrix(), problem.outputs())),
      loss_(make_terms_loss(problem, std::move(weights))) {
  point_ = loss_->at(Vector::Zero(problem.columns() * problem.outputs()), Vector::Zero(problem.outputs()));
  null_slope_ = loss_->slopes(point_).lpNorm<Eigen::Infinity>();
}

void TermsSolver::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  point_ = loss_->at(start.coefficients.reshaped(), start.intercept);
  multipliers_ = fit.multipliers;
  lambda_ = fit.lambda;
}

double TermsSolver::penalty_of(const Vector& coefficients) const {
  return lambda_ * (terms_ * coefficients).lpNorm<1>();
}

void TermsSolver::take_lambda(double lambda) {
  if (lambda_ > 0.0) {
    multipliers_ *= lambda / lambda_;
  } else {
    multipliers_ = Vector();
  }
  // Rounding must not remove the mark of a term that is not zero.
  for (double& u : multipliers_) {
    if (std::abs(u) > (1.0 - mark_rounding) * lambda) u = std::copysign(lambda, u);
  }
  lambda_ = lambda;
}

TermsLoss::Point TermsSolver::lower_point(const TermsLoss::Model& model, TermsLoss::Point next) const {
  const Vector move = next.coefficients - point_.coefficients;
  const Vector intercept_move = model.intercept_step - model.intercept_share * move;
  const double penalty = penalty_of(point_.coefficients);
  // Of a loss that may be negative the objective can cancel, and its rounding is that of both terms.
  const double rounding = objective_rounding * (std::abs(point_.loss) + penalty);
  const double promise =
      model.slopes.dot(move) + model.intercept_gain + penalty - penalty_of(next.coefficients);
  double length = 1.0;
  for (int halving = 0; halving < most_halvings; ++halving) {
    const double gain = point_.loss - next.loss + penalty - penalty_of(next.coefficients);
    const double promised = tolerances::sufficient_decrease * length * promise;
    if (gain >= promised - rounding) break;
    length *= 0.5;
    next = loss_->at(point_.coefficients + length * move, point_.intercept + length * intercept_move);
  }
  return next;
}

void TermsSolver::solve(double lambda) {
  take_lambda(lambda);
  double least = std::numeric_limits<double>::infinity();
  int idle = 0;
  for (int count = 0; count < most_term_models; ++count) {
    const TermsLoss::Model model = loss_->model(point_);
    const Vector right = model.slopes + model.curvature * point_.coefficients;
    TermSolution found =
        solve_terms({model.curvature, right, terms_, lambda, problem_.outputs()}, multipliers_);
    const Vector intercept = point_.intercept + model.intercept_step -
                             model.intercept_share * (found.coefficients - point_.coefficients);
    TermsLoss::Point next = loss_->at(std::move(found.coefficients), intercept);
    const Vector claimed = terms_.transpose() * found.multipliers;
    const double missed =
        std::max((loss_->slopes(next) - claimed).lpNorm<Eigen::Infinity>() / std::max(lambda, null_slope_),
                 loss_->intercept_slope(next));
    multipliers_ = std::move(found.multipliers);
    idle = missed < 0.5 * least ? 0 : idle + 1;
    least = std::min(least, missed);
    if (problem_.loss().is_quadratic() || missed <= terms_converged ||
        (missed <= nearly_converged && idle >= patience)) {
      point_ = std::move(next);
      break;
    }
    point_ = lower_point(model, std::move(next));
  }
  round_onto_pattern();
}

void TermsSolver::round_onto_pattern() {
  Matrix rounded(problem_.columns(), problem_.outputs());
  for (Index k = 0; k < problem_.outputs(); ++k) {
    const auto own = by_output(point_.coefficients, problem_.outputs()).col(k);
    const auto multipliers = by_output(multipliers_, problem_.outputs()).col(k);
    rounded.col(k) = analysis_.onto_pattern(own, analysis_.active_terms(own, multipliers, lambda_));
  }
  point_ = loss_->at(rounded.reshaped(), point_.intercept);
}

Vector TermsSolver::hat() {
  return loss_->hat(point_, multipliers_, lambda_);
}

}  // namespace alo
