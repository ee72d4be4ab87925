// SPDX-License-Identifier: MIT
#include "solvers/terms_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "penalties/term_pattern.hpp"

namespace alo {

namespace {

constexpr int most_models = 100;
constexpr int most_halvings = 30;
// Slopes of the loss and of its model that differ by this share are the same.
constexpr double settled = 1e-12;
constexpr double least_gain = 1e-4;
constexpr double objective_rounding = 1e-14;
// A smaller share of a pivot in its diagonal entry has lost too many digits for H_ii.
constexpr double pivot_tolerance = 1e-6;

}  // namespace

bool TermsSolver::suits(const Problem& problem) {
  const auto* penalty = problem.penalty().as<GeneralizedLasso>();
  return penalty != nullptr && !penalty->has_independent_rows() && penalty->graph() == nullptr &&
         problem.outputs() == 1 && !problem.loss().has_kinks();
}

TermsSolver::TermsSolver(const Problem& problem, Vector weights)
    : problem_(problem),
      penalty_(*problem.penalty().as<GeneralizedLasso>()),
      loss_(problem, std::move(weights)) {
  all_.coordinates.resize(static_cast<std::size_t>(problem.columns()));
  std::iota(all_.coordinates.begin(), all_.coordinates.end(), Index{0});
  all_.curvature = Vector::Zero(problem.columns());
  loss_.require(all_.coordinates);
  point_ = loss_.at(Vector::Zero(problem.columns()), 0.0);
  null_slope_ = loss_.slopes(point_).lpNorm<Eigen::Infinity>();
}

void TermsSolver::start_from(const Fit& fit) {
  const double centre = problem_.intercept() ? fit.coefficients.dot(problem_.design().center()) : 0.0;
  point_ = loss_.at(problem_.scale().cwiseProduct(fit.coefficients), fit.intercept[0] + centre);
  multipliers_ = fit.multipliers;
  lambda_ = fit.lambda;
}

double TermsSolver::objective(const WorkingLoss::Point& point, double lambda) const {
  return point.loss + penalty_.value(point.coefficients, lambda);
}

void TermsSolver::solve(double lambda) {
  if (lambda_ > 0.0) {
    multipliers_ *= lambda / lambda_;
  } else {
    multipliers_ = Vector();
  }
  // Rounding may not take the mark of a term that is not zero.
  for (double& u : multipliers_) {
    if (std::abs(u) > (1.0 - objective_rounding) * lambda) u = std::copysign(lambda, u);
  }
  lambda_ = lambda;
  for (int count = 0; count < most_models; ++count) {
    const Vector slopes = loss_.slopes(point_);
    const Matrix curvature = loss_.curvature(all_, point_);
    const Vector right = slopes + curvature * point_.coefficients;
    TermSolution found = solve_terms({curvature, right, penalty_.matrix(), lambda}, multipliers_);
    const Vector move = found.coefficients - point_.coefficients;
    const double before = objective(point_, lambda);
    const double promise = slopes.dot(move) + penalty_.value(point_.coefficients, lambda) -
                           penalty_.value(found.coefficients, lambda);
    WorkingLoss::Point next = loss_.at(found.coefficients, point_.intercept);
    const Vector claimed = penalty_.matrix().transpose() * found.multipliers;
    const double missed = (loss_.slopes(next) - claimed).lpNorm<Eigen::Infinity>();
    multipliers_ = std::move(found.multipliers);
    if (problem_.loss().is_quadratic() || missed <= settled * std::max(lambda, null_slope_)) {
      point_ = std::move(next);
      return;
    }
    double length = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving) {
      const double gain = before - objective(next, lambda);
      if (gain >= least_gain * length * promise - objective_rounding * std::abs(before)) break;
      length *= 0.5;
      next = loss_.at(point_.coefficients + length * move, point_.intercept);
    }
    point_ = std::move(next);
  }
}

Vector TermsSolver::hat() {
  const Geometry geometry = penalty_.geometry(point_.coefficients, multipliers_, lambda_);
  if (geometry.dimension() == 0 || geometry.dimension() > problem_.rows()) return {};
  Matrix system = loss_.curvature(geometry, point_);
  const Vector diagonal = system.diagonal();
  const auto lower = blas::cholesky(std::move(system));
  if (!lower || (lower->diagonal().array().square() <= pivot_tolerance * diagonal.array()).any()) return {};
  return loss_.hat(geometry, point_, *lower);
}

}  // namespace alo
