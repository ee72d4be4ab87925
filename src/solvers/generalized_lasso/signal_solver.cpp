// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/signal_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/null_fit.hpp"
#include "problem/signal.hpp"

namespace alo {

namespace {

constexpr int most_models = 300;
constexpr double least_gain = 1e-4;
constexpr double objective_rounding = 1e-14;
// A promise below this share of the objective: so many models are the last, for steps at the end are
// quadratically better. Those that are damped promise less than there is.
constexpr double settled = 1e-12;
constexpr int last_models = 3;
constexpr int last_damped_models = 30;
// Rows without curvature have this share of the mean, lest they count as left out.
constexpr double flat_share = 1e-8;
// A quadratic that is its model gains half of what the slope promises.
constexpr double good_gain = 0.25;
constexpr double poor_gain = 0.05;
constexpr double first_damping = 0.01;
constexpr double least_damping = 1e-4;
constexpr double most_damping = 1e8;

}  // namespace

Vector signal_hat(const Problem& problem, const Fit& fit) {
  const Dataset& data = problem.data();
  const auto& penalty = *problem.penalty().as<GeneralizedLasso>();
  const Vector curvature =
      data.weights.cwiseProduct(problem.loss().curvature(fit.linear_predictor, data.response));
  return signal_hat(marked_pattern(penalty, data.weights, fit), data.weights, curvature);
}

SignalSolver::SignalSolver(const Problem& problem, const Vector& weights, TrendSearches search)
    : problem_(problem),
      penalty_(*problem.penalty().as<GeneralizedLasso>()),
      weights_(weights),
      search_(search) {}

std::vector<Fit> SignalSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  if (!problem_.loss().is_quadratic()) {
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) fits.push_back(newton(lambdas[k]));
    return fits;
  }
  if (!path_) path_.emplace(penalty_, problem_.data().response - problem_.data().offset, weights_, search_);
  const std::vector<SignalPattern> patterns = path_->solve(lambdas, monitor);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    fits.push_back(make_fit(lambdas[k], patterns[k], *path_));
    fits.back().hat = hat(fits.back(), patterns[k], weights_);
  }
  return fits;
}

std::optional<Fit> SignalSolver::retry(const Fit& missed, int attempt) {
  const bool has_other_way = !problem_.loss().is_quadratic() || penalty_.order() == 2;
  if (attempt > 2 || !has_other_way) return std::nullopt;
  SignalSolver careful(problem_, weights_, TrendSearches::careful);
  return std::move(careful.solve(std::span(&missed.lambda, 1), {}).front());
}

Fit SignalSolver::make_fit(double lambda, const SignalPattern& pattern, const SignalPath& path) const {
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = Vector::Zero(1);
  fit.coefficients = signal_values(pattern);
  fit.multipliers = signal_multipliers(penalty_, pattern, path.signal(), path.weights(), lambda);
  return fit;
}

// Without a penalty nothing holds equal neighbours together.
Vector SignalSolver::hat(const Fit& fit, const SignalPattern& pattern, const Vector& curvature) const {
  if (fit.lambda > 0.0) return signal_hat(pattern, weights_, curvature);
  return signal_hat(marked_pattern(penalty_, weights_, fit), weights_, curvature);
}

SignalSolver::Model SignalSolver::model_at(const Vector& values) const {
  const Dataset& data = problem_.data();
  const LossValues loss = problem_.loss().evaluate(data.offset + values, data.response);
  Model model;
  model.losses = loss.value;
  model.gradient = weights_.cwiseProduct(loss.derivative);
  model.weights = weights_.cwiseProduct(loss.curvature);
  const double mean = model.weights.sum() / weights_.sum();
  const double least = mean > 0.0 ? flat_share * mean : flat_share;
  model.weights = model.weights.cwiseMax(least * weights_) + damping_ * std::max(mean, flat_share) * weights_;
  model.signal = (weights_.array() > 0.0)
                     .select(values.array() - model.gradient.array() / model.weights.array(), values);
  return model;
}

void SignalSolver::raise_damping() {
  damping_ = std::min(most_damping, std::max(first_damping, 4.0 * damping_));
}

// By how much the gradient at a model's minimiser is not what the model has there.
double SignalSolver::model_miss(const SignalPath& model, const Vector& values, const Vector& gradient) {
  const auto of_model = model.weights().array() * (values - model.signal()).array();
  return (gradient.array() - of_model).abs().maxCoeff();
}

void SignalSolver::start_from(const Fit& fit) {
  values_ = fit.coefficients;
  const Vector terms = penalty_.matrix() * values_;
  variation_ = (fit.multipliers.array().abs() >= fit.lambda).select(terms, 0.0).lpNorm<1>();
}

Fit SignalSolver::newton(double lambda) {
  const Dataset& data = problem_.data();
  if (values_.size() == 0) values_ = null_fit(problem_, weights_).linear_predictor - data.offset;
  Fit best;
  double least_miss = std::numeric_limits<double>::infinity();
  int close = 0;  // models that promised nothing more, and those of them that were damped
  int close_damped = 0;
  for (int count = 0;; ++count) {
    Model model = model_at(values_);
    SignalPath path(penalty_, std::move(model.signal), std::move(model.weights), search_);
    const SignalPattern pattern = std::move(path.solve(std::span(&lambda, 1), {}).front());
    Vector next = signal_values(pattern);
    const double variation = signal_variation(penalty_, pattern);
    const LossValues loss = problem_.loss().evaluate(data.offset + next, data.response);
    // The change is summed, for sums over many rows are rounded by more than it is.
    const double gain = weights_.dot(model.losses - loss.value);
    const double saved = lambda * (variation_ - variation);
    const double promise = saved - model.gradient.dot(next - values_);
    const double size = weights_.dot(model.losses.cwiseAbs()) + lambda * variation_;
    const bool lower = gain + saved >= least_gain * promise - objective_rounding * size;
    if (!lower && count < most_models) {
      raise_damping();
      continue;
    }
    const bool is_close = promise <= settled * size;
    if (is_close || count == most_models) {
      // Where a loss bends rounding decides on which side a row is, and a model may lead away again.
      const double miss = model_miss(path, next, weights_.cwiseProduct(loss.derivative));
      if (best.coefficients.size() == 0 || miss < least_miss) {
        least_miss = miss;
        best = make_fit(lambda, pattern, path);
        best.hat = hat(best, pattern, weights_.cwiseProduct(loss.curvature));
      }
      if (is_close) ++(damping_ == 0.0 ? close : close_damped);
    }
    const bool is_last = close == last_models || close_damped == last_damped_models || least_miss == 0.0;
    values_ = std::move(next);
    variation_ = variation;
    if (is_last || count == most_models) return best;
    if (is_close || gain + saved >= good_gain * promise) {
      damping_ = damping_ > least_damping ? 0.25 * damping_ : 0.0;
    } else if (gain + saved < poor_gain * promise) {
      raise_damping();
    }
  }
}

}  // namespace alo
