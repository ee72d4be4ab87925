// SPDX-License-Identifier: MIT
#include "solvers/proximal/pattern_solver.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/proximal/accelerated.hpp"

namespace alo {

namespace {

// The length of a proximal step, divided by its step size, at a solution: this share of the largest slope, or
// slope_rounding of the null fit's. It is a tenth of FitOptions::tolerance: at ten times certificates are
// missed, at a tenth badly conditioned patterns do not reach it.
constexpr double converged = 1e-11;
// Objectives that differ by this share are equal. Penalties are rounded by more than a sum of n terms, hence
// ten times tolerances::objective_rounding; the remarks there hold.
constexpr double objective_rounding = 1e-13;
// Losses that differ by less than this share are equal to accelerated steps: some epsilon, less than a sum
// can be wrong by, because where losses cannot decide the slopes do (accelerated.hpp). At ten times steps
// that are too long may be accepted near the minimum; a smaller value takes some more products.
constexpr double least_rounding = 1e-15;
// The relative width at which a bracket for the length of a step ends. Any value from 1e-15 to 1e-6 serves: a
// border of the pattern in it is found by the next step.
constexpr double length_share = 1e-12;
// A step along dependent directions is at most this multiple of the largest coefficient. A safeguard: any
// value between 1 and 10 serves, because such steps end at a border of the pattern.
constexpr double longest_reach = 2.0;
// A lambda far below that of the last solution is approached in strides of this factor, because most patterns
// that longer strides show are wrong. Any factor between 0.1 and 0.7 serves.
constexpr double longest_stride = 0.25;
// On patterns that may not be the solution's, Newton's method ends when slopes along the pattern have fallen
// to this share of the largest slope (the first pattern) or of the error. Only the speed depends on these.
constexpr double first_share = 1e-2;
constexpr double loose_share = 1e-2;
// Accelerated steps follow after this many rounds in which the error was not halved: Newton steps may lower
// the objective by less and less on patterns that are never the solution's.
constexpr int most_without_half = 10;
// Safeguards: strides, rounds at one lambda, Newton steps on a pattern, halvings and bisections of a step,
// and accelerated proximal steps at first and at most.
constexpr int most_strides = 30;
constexpr int most_rounds = 100;
constexpr int most_newton_steps = 30;
constexpr int most_halvings = 12;
constexpr int most_bisections = 100;
constexpr int first_accelerated_steps = 20;
constexpr int most_accelerated_steps = 2000;

// The largest power of two up to a number: products with it are exact.
double power_of_two(double value) {
  return std::exp2(std::floor(std::log2(value)));
}

bool is_flat(const Geometry& geometry) {
  return (geometry.curvature.array() == 0.0).all();
}

bool same_entries(const SparseMatrix& a, const SparseMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

bool same_pattern(const Geometry& a, const Geometry& b) {
  return a.dimension() == b.dimension() && a.coordinates == b.coordinates &&
         same_entries(a.combinations, b.combinations);
}

std::vector<Index> support(const Vector& coefficients) {
  std::vector<Index> columns;
  for (Index j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] != 0.0) columns.push_back(j);
  }
  return columns;
}

}  // namespace

PatternSolver::PatternSolver(const Problem& problem, Vector weights)
    : problem_(problem), loss_(problem, std::move(weights)), solved_lambda_(infinity) {
  if (!problem.penalty().keeps_zeros()) {
    std::vector<Index> all;
    for (Index j = 0; j < problem.columns(); ++j) all.push_back(j);
    loss_.require(all);
  }
  best_.point = loss_.at(Vector::Zero(problem.columns()), 0.0);
  null_slope_ = loss_.all_slopes(best_.point).lpNorm<Eigen::Infinity>();
}

void PatternSolver::start_from(const Fit& fit) {
  const StartingPoint from = starting_point(problem_, fit);
  best_ = {};
  best_.point.intercept = from.intercept[0];
  lambda_ = fit.lambda;
  best_ = evaluate(from.coefficients.col(0), fit.multipliers);
  start();
  solved_lambda_ = fit.lambda;
}

Vector PatternSolver::coefficients() const {
  Vector result = best_.point.coefficients;
  if (problem_.penalty().keeps_zeros()) result(problem_.constant_columns()).setZero();
  return result;
}

PatternSolver::Candidate PatternSolver::evaluate(Vector coefficients, Vector multipliers) {
  loss_.require(support(coefficients));
  Candidate result;
  result.point = loss_.at(std::move(coefficients), best_.point.intercept);
  result.multipliers = std::move(multipliers);
  result.objective = result.point.loss + problem_.penalty().value(result.point.coefficients, lambda_);
  return result;
}

Geometry PatternSolver::geometry_of(const Candidate& candidate) {
  Geometry geometry =
      problem_.penalty().geometry(candidate.point.coefficients, candidate.multipliers, lambda_);
  loss_.require(geometry.coordinates);
  return geometry;
}

Proximal PatternSolver::proximal_step(const Vector& coefficients, const Vector& slopes, double step) const {
  Proximal result = problem_.penalty().prox(coefficients + step * slopes, step * lambda_);
  result.multipliers /= step;
  return result;
}

double PatternSolver::slope_tolerance(const Vector& slopes) const {
  return std::max(converged * slopes.lpNorm<Eigen::Infinity>(), tolerances::slope_rounding * null_slope_);
}

void PatternSolver::start() {
  slopes_ = loss_.all_slopes(best_.point);
  null_slope_ = std::max(null_slope_, slopes_.lpNorm<Eigen::Infinity>());
  const double curvature = loss_.mean_curvature(best_.point);
  step_ = power_of_two(curvature > 0.0 && std::isfinite(1.0 / curvature) ? 1.0 / curvature : 1.0);
  steepness_ = 1.0 / step_;
}

void PatternSolver::solve(double lambda) {
  if (std::isinf(solved_lambda_)) {
    // The path begins at the null fit: only unpenalised coefficients.
    lambda_ = lambda;
    best_ = descend(evaluate(best_.point.coefficients, {}), 0.0);
    start();
    solved_lambda_ = problem_.penalty().lambda_max(slopes_);
  }
  for (int stride = 0; stride < most_strides && lambda < longest_stride * solved_lambda_; ++stride) {
    solve_at(longest_stride * solved_lambda_);
  }
  solve_at(lambda);
}

void PatternSolver::solve_at(double lambda) {
  look_ahead(lambda);
  lambda_ = lambda;
  best_.multipliers = {};
  best_ = evaluate(best_.point.coefficients, {});
  // The first pattern is that of the last solution.
  Candidate first = descend(
      best_, first_share * lambda / std::max(lambda, solved_lambda_) * slopes_.lpNorm<Eigen::Infinity>());
  if (first.objective < best_.objective) best_ = std::move(first);
  for (int round = 0; round < most_rounds; ++round) {
    minimize();
    if (!admit()) break;
  }
  solved_lambda_ = lambda;
}

// Copies the columns that a proximal step would move if the slopes were extrapolated to the new lambda.
void PatternSolver::look_ahead(double lambda) {
  if (!problem_.penalty().keeps_zeros() || !(lambda < solved_lambda_) || slopes_.size() == 0) return;
  const double ahead = std::max(2.0 * lambda - solved_lambda_, 0.5 * lambda);
  const Vector moved = best_.point.coefficients + step_ * slopes_;
  loss_.require(support(problem_.penalty().prox(moved, step_ * ahead).point));
}

bool PatternSolver::admit() {
  slopes_ = loss_.all_slopes(best_.point);
  if (!problem_.penalty().keeps_zeros()) return false;
  bool joined = false;
  const Vector next = proximal_step(best_.point.coefficients, slopes_, step_).point;
  const std::vector<Index> moving = support(next);
  const double tolerance = step_ * slope_tolerance(slopes_);
  for (const Index j : moving) joined = joined || (!loss_.holds(j) && std::abs(next[j]) > tolerance);
  if (joined) loss_.require(moving);
  return joined;
}

void PatternSolver::minimize() {
  double step = step_;
  int failures = 0;
  int unsure = 0;
  int budget = first_accelerated_steps;
  int rounds_since_half = 0;
  double half = infinity;  // of the error, when it was last halved
  const auto distance = [&](const Candidate& from, const Proximal& to) {
    return (to.point - from.point.coefficients).lpNorm<Eigen::Infinity>() / step;
  };
  for (int round = 0; round < most_rounds; ++round) {
    const Vector slopes = loss_.slopes(best_.point);
    Proximal next = proximal_step(best_.point.coefficients, slopes, step);
    const double error = distance(best_, next);
    rounds_since_half = error < half ? 0 : rounds_since_half + 1;
    if (error < half) half = 0.5 * error;
    Candidate found = evaluate(next.point, next.multipliers);
    const double proximal = found.objective;
    const bool near = error <= slope_tolerance(slopes);
    if (near) best_.multipliers = next.multipliers;
    const bool same = same_pattern(geometry_of(best_), geometry_of(found));
    if (near && (same || ++unsure > 3)) return;
    found = descend(std::move(found), same ? 0.0 : loose_share * error);
    const double rounding = objective_rounding * std::abs(best_.objective);
    bool better = found.objective < best_.objective - rounding;
    bool nearer = false;  // the error fell although objectives are equal; gradient steps would undo that
    if (!better && found.objective <= best_.objective + rounding) {
      const Vector own = loss_.slopes(found.point);
      const double left = distance(found, proximal_step(found.point.coefficients, own, step));
      better = near || left < error;
      nearer = left < 0.5 * error;
    }
    const bool by_newton = found.objective < proximal - rounding;
    if (better) best_ = std::move(found);
    if (better && (by_newton || near || nearer) && rounds_since_half < most_without_half) {
      failures = 0;
      continue;
    }
    ++failures;
    if (!better && failures < 3) {
      step *= 0.25;
    } else {
      accelerate(budget);
      budget = std::min(2 * budget, most_accelerated_steps);
      failures = 0;
      rounds_since_half = 0;
      half = infinity;
      step = step_;
    }
  }
}

PatternSolver::Candidate PatternSolver::descend(Candidate start, double enough) {
  Candidate current = std::move(start);
  for (int count = 0; count < most_newton_steps; ++count) {
    const Geometry geometry = geometry_of(current);
    if (geometry.dimension() == 0) break;
    const Vector slopes = loss_.slopes(current.point);
    const Vector own = problem_.penalty().subgradient(current.point.coefficients, lambda_);
    const Vector right = onto(geometry, slopes - own);
    if (right.lpNorm<Eigen::Infinity>() <= std::max(enough, 0.1 * slope_tolerance(slopes))) break;
    TangentStep step = newton_step(geometry, current.point, right);
    if (step.directions.isZero(0.0)) break;  // the curvature is not finite
    // Along dependent directions the objective is almost flat, and only a border of the pattern ends the
    // step.
    const double size = current.point.coefficients.lpNorm<Eigen::Infinity>();
    const double reach = step.directions.lpNorm<Eigen::Infinity>();
    if (step.damped && size > 0.0 && reach > longest_reach * size) {
      step.directions *= longest_reach * size / reach;
    }
    const Vector move = along(geometry, step.directions, problem_.columns());
    std::optional<Candidate> next = line_search(current, geometry, move, right.dot(step.directions));
    // On a pattern that may not be the solution's, trying another one costs less than ending this step
    // exactly.
    if (!next && enough == 0.0) next = slope_search(current, geometry, move);
    if (!next) break;
    current = std::move(*next);
  }
  return current;
}

// The nearest point in the closure of the pattern, for a penalty that is linear on patterns: with s a
// subgradient there, prox_m(b + m s) = b on the pattern for every m, and a large m merges coefficients whose
// order or sign has changed.
Proximal PatternSolver::onto_pattern(const Vector& coefficients, const Vector& subgradient) const {
  const double largest = subgradient.lpNorm<Eigen::Infinity>();
  const double size = coefficients.lpNorm<Eigen::Infinity>();
  const double step = largest > 0.0 && size > 0.0 ? power_of_two(4.0 * size / largest) : step_;
  return proximal_step(coefficients, subgradient, step);
}

// The point after a move. Beyond a border of its pattern it is brought back: coefficients are merged where
// the penalty is linear on patterns, and otherwise set to zero where they changed sign.
PatternSolver::Candidate PatternSolver::moved(const Candidate& from, const Geometry& geometry,
                                              const Vector& move) {
  Candidate beyond = evaluate(from.point.coefficients + move, from.multipliers);
  const Vector& coefficients = beyond.point.coefficients;
  Proximal merged =
      onto_pattern(coefficients, problem_.penalty().subgradient(from.point.coefficients, lambda_));
  if (is_flat(geometry)) {
    Candidate next = evaluate(std::move(merged.point), std::move(merged.multipliers));
    return same_pattern(geometry, geometry_of(next)) ? beyond : next;
  }
  if (!problem_.penalty().keeps_zeros()) return beyond;
  const Vector kept = (merged.point.array() != 0.0).select(coefficients, 0.0);
  return kept == coefficients ? beyond : evaluate(kept, {});
}

std::optional<PatternSolver::Candidate> PatternSolver::line_search(const Candidate& from,
                                                                   const Geometry& geometry,
                                                                   const Vector& move, double promise) {
  const double rounding = objective_rounding * std::abs(from.objective);
  double length = 1.0;
  for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
    Candidate next = moved(from, geometry, length * move);
    if (next.objective <= from.objective - tolerances::sufficient_decrease * length * promise) return next;
    if (promise <= rounding && next.objective <= from.objective + rounding) return next;
  }
  return std::nullopt;
}

// On a long step along dependent directions, whose slope is almost zero, a kink of the loss's derivative or a
// border of the pattern may be so near that the gain up to it is rounding. The slope along the step falls
// monotonically, so its sign finds the place by bisection.
std::optional<PatternSolver::Candidate> PatternSolver::slope_search(const Candidate& from,
                                                                    const Geometry& geometry,
                                                                    const Vector& move) {
  const auto slope = [&](const Candidate& at) {
    const Vector own = problem_.penalty().subgradient(at.point.coefficients, lambda_);
    return (loss_.slopes(at.point) - own).dot(move);
  };
  const double first = slope(from);
  std::optional<Candidate> end;
  double low = 0.0;
  double high = 1.0;
  for (int count = 0; count < most_bisections && high - low > length_share * high; ++count) {
    const double length = 0.5 * (low + high);
    Candidate next = moved(from, geometry, length * move);
    const double left = slope(next);
    const bool merged = geometry_of(next).dimension() < geometry.dimension();
    (!merged && left > 0.0 ? low : high) = length;
    const bool halved = std::abs(left) <= 0.5 * first;
    // Otherwise rounding may hide a border, and the slope is already that beyond it.
    if (merged || halved) end = std::move(next);
    if (halved) break;
  }
  const double rounding = objective_rounding * std::abs(from.objective);
  if (end && end->objective > from.objective + rounding) end.reset();
  return end;
}

void PatternSolver::accelerate(int steps) {
  struct Minimizer {
    PatternSolver& solver;
    Candidate at(Vector coefficients) const { return solver.evaluate(std::move(coefficients), {}); }
    Vector slopes(const Candidate& candidate) const { return solver.loss_.slopes(candidate.point); }
    Candidate proximal(const Candidate& from, const Vector& slopes, double step) const {
      Proximal next = solver.proximal_step(from.point.coefficients, slopes, step);
      return solver.evaluate(std::move(next.point), std::move(next.multipliers));
    }
    double rounding() const { return least_rounding * std::abs(solver.best_.point.loss); }
  };
  alo::accelerate(Minimizer{*this}, steps, steepness_, best_);
}

PatternSolver::TangentStep PatternSolver::newton_step(const Geometry& geometry,
                                                      const WorkingLoss::Point& point, const Vector& right) {
  if (RowSystem::is_worth(geometry, problem_.rows())) {
    if (auto directions = rows_.solve(loss_, geometry, point, right)) return {std::move(*directions), false};
  }
  const TangentSystem system(loss_, geometry, point, 1.0 / step_, TangentSystem::Form::by_directions);
  return {system.solve(right), system.damped()};
}

Vector PatternSolver::hat() {
  const Geometry geometry = geometry_of(best_);
  if (RowSystem::is_worth(geometry, problem_.rows())) return rows_.hat(loss_, geometry, best_.point);
  if (geometry.dimension() > problem_.rows()) return {};
  const TangentSystem system(loss_, geometry, best_.point, 1.0 / step_, TangentSystem::Form::by_directions);
  return system.hat(loss_, geometry, best_.point);
}

}  // namespace alo
