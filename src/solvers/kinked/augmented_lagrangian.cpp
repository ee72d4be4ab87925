// SPDX-License-Identifier: MIT
#include "solvers/kinked/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

// How springs become stiffer.
constexpr double stiffening = 5.0;
constexpr int most_targets = 60;
// Stretches of springs this small, relative to linear predictors, are rounding.
constexpr double stretched = 1e-13;
// Beyond an end by this much, relatively, a place or a sign is broken.
constexpr double broken = 1e-10;
constexpr double unsolved = 1e-11;
constexpr double zero_share = 1e-14;
// Optimality conditions of a smooth problem that was not solved, and how springs become softer then.
constexpr double unsettled = 1e-7;
constexpr double softening = 7.0;
constexpr int most_refinements = 3;
constexpr Index spare_rows = 20;

Problem with_springs(const Problem& problem, std::shared_ptr<const Springs> springs) {
  return {problem.data(),
          MoreauLoss(std::move(springs)),
          problem.penalty(),
          {problem.intercept(), problem.standardize()}};
}

double size_of(const Vector& predictor) {
  return 1.0 + predictor.lpNorm<Eigen::Infinity>();
}

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(const Problem& problem, const Vector& weights)
    : problem_(problem),
      terms_(problem.penalty().separable(problem.columns()).value()),
      springs_(std::make_shared<Springs>(Springs{problem.loss(), weights,
                                                 RowPlaces(problem.loss(), problem.data().response, weights),
                                                 Vector::Zero(problem.rows()), 1.0})),
      smooth_(std::make_unique<const Problem>(with_springs(problem, springs_))),
      newton_(*smooth_, Vector::Ones(problem.rows())),
      coefficients_(Vector::Zero(problem.columns())),
      intercept_(Vector::Zero(1)),
      gradient_(Vector::Zero(problem.rows())),
      predictor_(problem.data().offset) {}

void AugmentedLagrangian::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  coefficients_ = start.coefficients.col(0);
  intercept_ = start.intercept;
  gradient_ = fit.subgradient;
  predictor_ = predict(coefficients_, intercept_);
}

Vector AugmentedLagrangian::predict(const Vector& coefficients, const Vector& intercept) const {
  Vector predictor = problem_.design().multiply(coefficients) + problem_.data().offset;
  if (problem_.intercept()) predictor.array() += intercept[0];
  return predictor;
}

// Springs that bind a share of the rows, each drawn by the gradient of the last solution.
void AugmentedLagrangian::begin() {
  RowPlaces& rows = springs_->rows;
  for (Index i = 0; i < rows.size(); ++i) {
    rows.set_place(i, rows.place_of_gradient(i, gradient_[i], predictor_[i]));
  }
  springs_->targets = rows.nearest_gradients(gradient_);
  springs_->sigma = rows.first_stiffness(predictor_, size_of(predictor_));
}

void AugmentedLagrangian::minimise_with_springs(double lambda) {
  newton_.start_from(coefficients_, intercept_, lambda);
  newton_.solve(lambda);
  coefficients_ = newton_.coefficients();
  intercept_ = newton_.intercept();
  predictor_ = newton_.linear_predictor();
  for (Index i = 0; i < predictor_.size(); ++i) {
    const Index place = springs_->rows.place_of_proximal(i, predictor_[i], springs_->targets[i],
                                                         springs_->sigma, gradient_[i]);
    springs_->rows.set_place(i, place);
  }
}

void AugmentedLagrangian::solve(double lambda) {
  if (solve_from_here(lambda)) return;
  // A linear program may leave Newton's method on a slope without curvature: once more, from nothing.
  coefficients_.setZero();
  intercept_.setZero();
  gradient_.setZero();
  predictor_ = predict(coefficients_, intercept_);
  solve_from_here(lambda);
}

bool AugmentedLagrangian::solve_from_here(double lambda) {
  begin();
  for (int round = 0; round < most_targets; ++round) {
    minimise_with_springs(lambda);
    if (auto solution = polish(lambda)) {
      coefficients_ = std::move(solution->coefficients);
      intercept_ = std::move(solution->intercept);
      gradient_ = std::move(solution->gradient);
      for (Index i = 0; i < gradient_.size(); ++i) leave_end(i);
      predictor_ = std::move(solution->predictor);
      return true;
    }
    // Too few rows are bound for a curvature in every direction: softer springs bind more.
    const Vector allowed = unsettled * slope_sizes().cwiseMax(lambda);
    if (!is_stationary({coefficients_, intercept_, gradient_, predictor_}, lambda, unsettled, allowed)) {
      springs_->sigma /= softening;
      continue;
    }
    const double stretch = (gradient_ - springs_->targets).lpNorm<Eigen::Infinity>() / springs_->sigma;
    if (stretch <= stretched * size_of(predictor_)) break;
    springs_->targets = gradient_;
    springs_->sigma *= stiffening;
  }
  return false;
}

// A gradient that reached the end of what it may be is the slope there.
void AugmentedLagrangian::leave_end(Index i) {
  const RowPlaces& rows = springs_->rows;
  const double slack = broken * rows.gradient_range(i);
  if (gradient_[i] >= rows.high_gradient(i) - slack) gradient_[i] = rows.high_gradient(i);
  if (gradient_[i] <= rows.low_gradient(i) + slack) gradient_[i] = rows.low_gradient(i);
}

AugmentedLagrangian::Pattern AugmentedLagrangian::pattern() const {
  Pattern result;
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index j = 0; j < problem_.columns(); ++j) {
    const double total = terms_.absolute[j] + terms_.square[j] + terms_.fixed_square[j];
    if (std::isinf(total) || std::binary_search(constant.begin(), constant.end(), j)) continue;
    if (coefficients_[j] != 0.0 || terms_.absolute[j] == 0.0) result.active.push_back(j);
  }
  result.pinned = springs_->rows.pinned();
  return result;
}

AugmentedLagrangian::Point AugmentedLagrangian::move(const Pattern& pattern, double lambda,
                                                     const Point& from) const {
  const auto active = static_cast<Index>(pattern.active.size());
  const auto pinned = static_cast<Index>(pattern.pinned.size());
  const Index free = problem_.intercept() ? 1 : 0;
  Matrix rows(pinned, active + free);
  rows.leftCols(active) = problem_.design().gather(pattern.active)(pattern.pinned, Eigen::all);
  if (free > 0) rows.col(active).setOnes();
  const Vector slopes = problem_.design().transpose_multiply(from.gradient);
  Matrix system = Matrix::Zero(active + free + pinned, active + free + pinned);
  Vector right(system.rows());
  for (Index m = 0; m < active; ++m) {
    const Index j = pattern.active[static_cast<std::size_t>(m)];
    const double square = lambda * terms_.square[j] + terms_.fixed_square[j];
    const double sign = coefficients_[j] < 0.0 ? -1.0 : 1.0;
    system(m, m) = square;
    right[m] = -square * from.coefficients[j] - lambda * terms_.absolute[j] * sign - slopes[j];
  }
  if (free > 0) right[active] = -from.gradient.sum();
  for (Index k = 0; k < pinned; ++k) {
    const Index i = pattern.pinned[static_cast<std::size_t>(k)];
    right[active + free + k] = springs_->rows.kink(i) - from.predictor[i];
  }
  system.bottomLeftCorner(pinned, active + free) = rows;
  system.topRightCorner(active + free, pinned) = rows.transpose();
  Vector change = system.partialPivLu().solve(right);
  const double rest = (system * change - right).lpNorm<Eigen::Infinity>();
  if (!(rest <= unsolved * (1.0 + right.lpNorm<Eigen::Infinity>()))) {
    change = system.completeOrthogonalDecomposition().solve(right);
  }
  Point to = from;
  for (Index m = 0; m < active; ++m)
    to.coefficients[pattern.active[static_cast<std::size_t>(m)]] += change[m];
  if (free > 0) to.intercept[0] += change[active];
  for (Index k = 0; k < pinned; ++k) {
    to.gradient[pattern.pinned[static_cast<std::size_t>(k)]] += change[active + free + k];
  }
  to.predictor = predict(to.coefficients, to.intercept);
  return to;
}

std::optional<AugmentedLagrangian::Point> AugmentedLagrangian::polish(double lambda) const {
  const Pattern found = pattern();
  // Many more pinned rows than coefficients to meet them: springs that are still soft.
  const Index coefficients = static_cast<Index>(found.active.size()) + 1;
  if (static_cast<Index>(found.pinned.size()) > 2 * coefficients + spare_rows) return std::nullopt;
  Point point{coefficients_, intercept_, gradient_, predictor_};
  for (int k = 0; k < most_refinements; ++k) point = move(found, lambda, point);
  drop_rounding(point);
  if (!is_optimal(point, lambda)) return std::nullopt;
  return point;
}

// A coefficient that moves predictions by rounding alone is zero: pinned rows have many gradients then, and
// one of them has brought its slope to the edge.
void AugmentedLagrangian::drop_rounding(Point& point) const {
  const Vector ones = Vector::Ones(problem_.rows());
  const Vector norms = problem_.design().weighted_square_norms(ones).cwiseSqrt();
  const double rounding = zero_share * size_of(point.predictor);
  for (Index j = 0; j < problem_.columns(); ++j) {
    if (terms_.absolute[j] > 0.0 && norms[j] * std::abs(point.coefficients[j]) <= rounding) {
      point.coefficients[j] = 0.0;
    }
  }
}

bool AugmentedLagrangian::is_optimal(const Point& point, double lambda) const {
  const RowPlaces& rows = springs_->rows;
  const double slack = broken * size_of(point.predictor);
  for (Index i = 0; i < rows.size(); ++i) {
    const double gradient_slack = broken * rows.gradient_range(i);
    if (!(point.predictor[i] <= rows.high_predictor(i) + slack)) return false;
    if (!(point.predictor[i] >= rows.low_predictor(i) - slack)) return false;
    if (!(point.gradient[i] <= rows.high_gradient(i) + gradient_slack)) return false;
    if (!(point.gradient[i] >= rows.low_gradient(i) - gradient_slack)) return false;
  }
  for (Index j = 0; j < problem_.columns(); ++j) {
    if (terms_.absolute[j] > 0.0 && coefficients_[j] * point.coefficients[j] < 0.0) return false;
  }
  return is_stationary(point, lambda, broken, Vector::Constant(problem_.columns(), broken * lambda));
}

// |g| |x_j|, whose rounding may be more than a small lambda.
Vector AugmentedLagrangian::slope_sizes() const {
  const Vector ones = Vector::Ones(problem_.rows());
  return gradient_.norm() * problem_.design().weighted_square_norms(ones).cwiseSqrt();
}

bool AugmentedLagrangian::is_stationary(const Point& point, double lambda, double tolerance,
                                        const Vector& allowed) const {
  const double sum = std::abs(point.gradient.sum());
  if (problem_.intercept() && !(sum <= tolerance * point.gradient.lpNorm<1>())) return false;
  const Vector distance = problem_.penalty().subgradient_distance(
      point.coefficients, -problem_.design().transpose_multiply(point.gradient), lambda);
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index j = 0; j < distance.size(); ++j) {
    if (std::binary_search(constant.begin(), constant.end(), j)) continue;
    if (!(distance[j] <= allowed[j])) return false;
  }
  return true;
}

}  // namespace alo
