// SPDX-License-Identifier: MIT
#include "solvers/proximal/matrix_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/proximal/accelerated.hpp"
#include "solvers/proximal/tangent_system.hpp"

namespace alo {

namespace {

using tolerances::slope_rounding;
// The length of a proximal step, divided by its step size, at a solution: this share of the largest slope. At
// a tenth the rounding of slopes (slope_rounding of the null fit's) is all that is left below it; at ten
// times it is that of the vector problems, a tenth of FitOptions::tolerance, and singular values near zero
// are less well told from zero.
constexpr double converged = 1e-12;
// Objectives that differ by this share of loss, penalty and null loss are equal: products and decompositions
// of matrices round by more than a sum. The remarks at tolerances::objective_rounding hold.
constexpr double objective_rounding = 1e-13;
// A proximal step moves by at most this multiple of the largest coefficient: a longer one would lose as many
// digits of the coefficients (two here) to cancellation. Ten times it loses one more; a tenth of it finds
// fewer changes of the rank at once.
constexpr double farthest = 100.0;
// A step along dependent directions is at most this multiple of the largest coefficient. A safeguard: any
// value between 1 and 10 serves, because steps that are too short or too long are followed by others.
constexpr double longest_reach = 2.0;
// A chord step, with the factor of the last Newton step, follows a Newton step that left at most the first
// share of the error, and further chord steps follow as long as each leaves at most the second. Larger shares
// take more cheap steps, smaller ones more factorisations; only the speed depends on them.
constexpr double near_share = 0.02;
constexpr double chord_share = 0.1;
// A lambda far below that of the last solution is approached in strides of this factor, because the rank
// would at first be guessed much too large; the second holds where systems of many directions need much
// memory. Any factors between 0.1 and 0.7 serve.
constexpr double longest_stride = 0.25;
constexpr double longest_large_stride = 0.5;
// Slopes updated by X'W X are accepted when they agree with those computed from the rows up to this many
// times their tolerance. At one rounding sends fits into further rounds; at a hundred errors of 1e-10 pass.
constexpr double looser = 10.0;
// Safeguards: further rounds after that comparison, strides, Newton steps, halvings of a step, and
// accelerated proximal steps at first and at most, where Newton steps do not lower the objective.
constexpr int most_looks = 4;
constexpr int most_strides = 60;
constexpr int most_rounds = 200;
constexpr int most_halvings = 6;
constexpr int first_accelerated_steps = 10;
constexpr int most_accelerated_steps = 1000;

}  // namespace

MatrixSolver::MatrixSolver(const Problem& problem, Vector weights)
    : problem_(problem),
      loss_(problem, std::move(weights), WorkingLoss::Columns::all),
      solved_lambda_(infinity) {
  best_.point.coefficients = Vector::Zero(problem.columns());
  look_at_rows(best_);
  null_slope_ = best_.slopes.lpNorm<Eigen::Infinity>();
  null_loss_ = best_.point.loss;
  shorten_step();
}

void MatrixSolver::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  best_.point.coefficients = start.coefficients.col(0);
  best_.point.intercept = start.intercept[0];
  best_.multipliers = fit.multipliers;
  look_at_rows(best_);
  lambda_ = fit.lambda;
  shorten_step();
  solved_lambda_ = fit.lambda;
}

MatrixSolver::Candidate MatrixSolver::at(Vector coefficients) const {
  Candidate result;
  if (loss_.keeps_products()) {
    result.slopes = best_.slopes;
    result.point = loss_.moved(best_.point, std::move(coefficients), result.slopes);
    return result;
  }
  result.point = loss_.at(std::move(coefficients), best_.point.intercept);
  result.slopes = loss_.slopes(result.point);
  return result;
}

void MatrixSolver::look_at_rows(Candidate& candidate) const {
  candidate.point = loss_.at(std::move(candidate.point.coefficients), best_.point.intercept);
  candidate.slopes = loss_.slopes(candidate.point);
}

void MatrixSolver::weigh(Candidate& candidate) const {
  candidate.objective = objective(candidate);
}

double MatrixSolver::objective(const Candidate& candidate) const {
  return candidate.point.loss + problem_.penalty().value(candidate.point.coefficients, lambda_);
}

MatrixSolver::Candidate MatrixSolver::proximal_point(const Candidate& from, double step) const {
  Proximal next = problem_.penalty().prox(from.point.coefficients + step * from.slopes, step * lambda_);
  Candidate result = at(std::move(next.point));
  result.multipliers = next.multipliers / step;
  return result;
}

double MatrixSolver::distance(const Candidate& from, const Candidate& to, double step) const {
  return (to.point.coefficients - from.point.coefficients).lpNorm<Eigen::Infinity>() / step;
}

double MatrixSolver::tolerance(const Candidate& candidate) const {
  return std::max(converged * candidate.slopes.lpNorm<Eigen::Infinity>(), slope_rounding * null_slope_);
}

// What objectives are rounded by. The loss may be near zero because its terms cancel, so the null loss counts
// too; <Z, B> stands for the penalty and is no less than it.
double MatrixSolver::rounding() const {
  const double penalty =
      best_.multipliers.size() == 0 ? 0.0 : best_.multipliers.dot(best_.point.coefficients);
  return objective_rounding * (std::abs(penalty) + std::abs(best_.point.loss) + std::abs(null_loss_));
}

void MatrixSolver::solve(double lambda) {
  if (std::isinf(solved_lambda_)) {
    const double largest = problem_.penalty().lambda_max(best_.slopes);
    if (std::isfinite(largest) && lambda >= largest - slopes_lost()) {  // zero, but for rounding
      lambda_ = lambda;
      best_.multipliers = best_.slopes;
      return;
    }
    solved_lambda_ = std::isfinite(largest) ? std::max(largest, lambda) : lambda;
  }
  const double longest = loss_.keeps_products() ? longest_stride : longest_large_stride;
  for (int stride = 0; stride < most_strides && lambda < longest * solved_lambda_; ++stride) {
    solve_at(longest * solved_lambda_);
  }
  solve_at(lambda);
}

// The rounding of a slope sum_i x_ij r_i, whose terms may cancel, by the inequality of Cauchy and Schwarz.
double MatrixSolver::slopes_lost() const {
  const Vector squares = problem_.design().weighted_square_norms(Vector::Ones(problem_.rows()));
  return slope_rounding * std::sqrt(squares.maxCoeff()) * best_.point.residual.norm();
}

// A step much longer than the inverse curvature of the loss would magnify rounding.
bool MatrixSolver::shorten_step() {
  const double before = step_;
  const double curvature = loss_.mean_curvature(best_.point);
  step_ = curvature > 0.0 && std::isfinite(1.0 / curvature) ? 1.0 / curvature : 1.0;
  return step_ < 0.5 * before;
}

double MatrixSolver::long_step() const {
  const double size = best_.point.coefficients.lpNorm<Eigen::Infinity>();
  const double slope = best_.slopes.lpNorm<Eigen::Infinity>();
  return size > 0.0 && slope > 0.0 ? std::min(step_, farthest * size / slope) : step_;
}

void MatrixSolver::solve_at(double lambda) {
  const Vector ahead = predicted(lambda);
  if (best_.multipliers.size() > 0 && lambda_ > 0.0) best_.multipliers *= lambda / lambda_;
  lambda_ = lambda;
  minimize(ahead);
  for (int count = 0; count < 10 && !problem_.loss().is_quadratic() && shorten_step(); ++count) minimize({});
  for (int count = 0; count < most_looks && loss_.keeps_products(); ++count) {
    const Vector before = best_.slopes;
    look_at_rows(best_);
    if (next_step_ + (best_.slopes - before).norm() <= looser * tolerance(best_)) break;
    const double step = long_step();
    if (distance(best_, proximal_point(best_, step), step) <= looser * tolerance(best_)) break;
    minimize({});
  }
  solved_lambda_ = lambda;
}

// The predictor of a path-following method. With Z the subgradient at the last solution, the tangent of the
// path is M dB = -Z dlambda / lambda along the tangent space. With the solution before it the prediction is
// quadratic, or the cubic Hermite polynomial where both solutions have the same rank.
Vector MatrixSolver::predicted(double lambda) {
  if (!system_ || !(lambda_ > 0.0) || best_.multipliers.size() == 0) return {};
  const Vector pull = onto(geometry_, best_.multipliers / lambda_);
  Solution here{lambda_, best_.point.coefficients,
                -along(geometry_, system_->solve(pull), problem_.columns()), geometry_.dimension()};
  const double ahead = lambda - lambda_;
  Vector move = ahead * here.slope;
  const double back = before_ ? before_->lambda - lambda_ : 0.0;
  if (before_ && std::abs(ahead) <= std::abs(back)) {
    const double share = ahead / back;
    const Vector second = before_->coefficients - here.coefficients - back * here.slope;
    move += share * share * second;
    if (before_->dimension == here.dimension) {
      move += share * share * (share - 1.0) * (back * (before_->slope - here.slope) - 2.0 * second);
    }
  }
  before_ = std::move(here);
  return move;
}

void MatrixSolver::minimize(const Vector& ahead) {
  int budget = first_accelerated_steps;
  bool near = false;  // the last system is good enough for the next step
  std::optional<double> left;
  if (ahead.size() > 0) {  // from a solution: what its subgradient leaves of the slopes
    least_error_ = (best_.slopes - best_.multipliers).lpNorm<Eigen::Infinity>();
    left = follow(ahead, least_error_);
  }
  double error = left ? *left : begin();
  int stalls = 0;
  for (int round = 0; round < most_rounds && error > tolerance(best_) && stalls < 3; ++round) {
    const bool by_chord = near && system_;
    left = follow(by_chord ? chord_move() : newton_move(), error);
    if (left) {
      near = *left < (by_chord ? chord_share : near_share) * error;
      error = *left;
      continue;
    }
    near = false;
    if (by_chord) continue;
    weigh(best_);
    const double before = best_.objective;
    accelerate(budget);
    next_step_ = infinity;
    budget = std::min(2 * budget, most_accelerated_steps);
    const double step = long_step();
    Candidate next = proximal_point(best_, step);
    weigh(next);
    const double further = distance(best_, next, step);
    stalls = further < 0.5 * error || best_.objective < before - rounding() ? 0 : stalls + 1;
    error = further;
    if (next.objective <= best_.objective) best_ = std::move(next);
  }
}

double MatrixSolver::begin() {
  double step = long_step();
  Candidate first = proximal_point(best_, step);
  const double error = least_error_ = distance(best_, first, step);
  weigh(best_);
  weigh(first);
  for (int count = 0; first.objective > best_.objective && count < most_halvings; ++count) {
    step *= 0.25;
    first = proximal_point(best_, step);
    weigh(first);
  }
  if (first.objective <= best_.objective || error <= tolerance(best_)) best_ = std::move(first);
  next_step_ = infinity;
  return error;
}

Vector MatrixSolver::newton_move() {
  geometry_ = problem_.penalty().geometry(best_.point.coefficients, best_.multipliers, lambda_);
  system_.reset();
  secants_.clear();
  if (geometry_.dimension() == 0) return Vector::Zero(problem_.columns());
  system_.emplace(loss_, geometry_, best_.point, 1.0 / step_);
  last_coefficients_ = best_.point.coefficients;
  last_slopes_ = tangent_slopes();
  Vector directions = system_->solve(last_slopes_);
  if (system_->outcome() != DampedFactor::Outcome::regular) {  // steps along dependent directions are long
    const double size = best_.point.coefficients.lpNorm<Eigen::Infinity>();
    const double reach = directions.lpNorm<Eigen::Infinity>();
    if (reach > longest_reach * size) directions *= longest_reach * size / reach;
    system_.reset();
  }
  return along(geometry_, directions, problem_.columns());
}

Vector MatrixSolver::chord_move() {
  const Vector slopes = tangent_slopes();
  secants_.add(onto(geometry_, best_.point.coefficients - last_coefficients_), last_slopes_ - slopes);
  last_coefficients_ = best_.point.coefficients;
  last_slopes_ = slopes;
  const auto solve = [&](const Vector& right) { return system_->solve(right); };
  return along(geometry_, secants_.solve(slopes, solve), problem_.columns());
}

Vector MatrixSolver::tangent_slopes() const {
  if (best_.multipliers.size() > 0) return onto(geometry_, best_.slopes - best_.multipliers);
  return onto(geometry_, best_.slopes - problem_.penalty().subgradient(best_.point.coefficients, lambda_));
}

// Halves the move until the error is at most half the least one so far, or the objective falls, or it stays
// the same with a smaller error.
std::optional<double> MatrixSolver::follow(const Vector& move, double error) {
  const double step = long_step();
  double length = 1.0;
  std::optional<double> here;
  for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
    const Candidate moved = at(best_.point.coefficients + length * move);
    if (!moved.slopes.allFinite()) continue;
    Candidate next = proximal_point(moved, step);
    const double left = distance(moved, next, step);
    const double lost = std::numeric_limits<double>::epsilon() *
                        next.point.coefficients.lpNorm<Eigen::Infinity>() / step;  // by rounding
    if (!(left + lost < 0.5 * least_error_)) {
      if (!here) here = objective(best_);
      const double gain = *here - objective(next);
      if (!(gain > rounding() || (gain >= -rounding() && left < error))) continue;
    }
    // A bound on the next proximal step, because the proximal operator is nonexpansive.
    next_step_ =
        ((next.point.coefficients - moved.point.coefficients) / step + next.slopes - moved.slopes).norm();
    best_ = std::move(next);
    least_error_ = std::min(least_error_, left);
    return left;
  }
  return std::nullopt;
}

void MatrixSolver::accelerate(int steps) {
  struct Minimizer {
    const MatrixSolver& solver;
    Candidate at(Vector coefficients) const { return solver.at(std::move(coefficients)); }
    const Vector& slopes(const Candidate& candidate) const { return candidate.slopes; }
    Candidate proximal(const Candidate& from, const Vector&, double step) const {
      Candidate next = solver.proximal_point(from, step);
      solver.weigh(next);
      return next;
    }
    double rounding() const { return solver.rounding(); }
  };
  double steepness = 1.0 / step_;
  alo::accelerate(Minimizer{*this}, steps, steepness, best_);
}

Vector MatrixSolver::hat() {
  Geometry geometry = problem_.penalty().geometry(best_.point.coefficients, best_.multipliers, lambda_);
  if (geometry.dimension() == 0) return {};
  geometry_ = std::move(geometry);
  system_.emplace(loss_, geometry_, best_.point, 1.0 / step_);
  Vector result = system_->hat(loss_, geometry_, best_.point);
  if (system_->outcome() != DampedFactor::Outcome::regular) system_.reset();
  return result;
}

}  // namespace alo
