// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/signal_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/null_fit.hpp"
#include "linalg/tolerances.hpp"
#include "problem/signal.hpp"

namespace alo {

namespace {

// A safeguard: quadratic models for one fit, of which some tens are usual.
constexpr int most_models = 300;
// The search is near its end when a model promises less than this share of the objective. Newton's method
// converges quadratically there, so a few further models reach rounding: three whole ones, or thirty damped
// ones, which promise less than there is to gain. At ten times the share the last models start too early and
// the fit may end before rounding; at a tenth the promise itself is rounding and may never be met.
constexpr double converged = 1e-12;
constexpr int last_models = 3;
constexpr int last_damped_models = 30;
// Values are known to this share of the largest one: the rounding of a spline that is expanded from its
// coefficients, some ten epsilon. What the loss gains over such a distance from its minimum is rounding where
// a signal is fitted without error and the objective itself is nothing else. At a tenth such a search damps
// its models to no end; at ten times a fit without error may leave residuals of a 1e-13th.
constexpr double value_rounding = 1e-14;
// Rows without curvature get this share of the mean curvature in a model, because a row of weight zero would
// be left out of it. At 1e-16 weights of such a ratio would cost all digits; at 1e-4 models would be too
// stiff. Tests pass from 1e-11 to 1e-5.
constexpr double flat_share = 1e-8;
// The damping (Levenberg 1944; Marquardt 1963), a share of the mean curvature. It falls fourfold when a step
// gains at least the first share of what the slope promises (a quadratic function equal to its model gains a
// half), and rises fourfold below the second. It starts at first_damping, is dropped to zero from
// least_damping on, and stops at most_damping, where steps are 1e-8 of a Newton step. Safeguards: factors of
// ten in any of these change only the number of steps.
constexpr double good_gain = 0.25;
constexpr double poor_gain = 0.05;
constexpr double first_damping = 0.01;
constexpr double least_damping = 1e-4;
constexpr double most_damping = 1e8;

// H_ii of the pattern that the multipliers of a fit mark.
Vector marked_hat(const AnalysisOperator& analysis, const Fit& fit, const Vector& weights,
                  const Vector& curvature) {
  const std::vector<Index> active = analysis.active_terms(fit.coefficients, fit.multipliers, fit.lambda);
  return analysis.signals()->marked(weights, active)->hat(weights, curvature);
}

}  // namespace

Vector signal_hat(const Problem& problem, const Fit& fit) {
  const Dataset& data = problem.data();
  const Vector curvature =
      data.weights.cwiseProduct(problem.loss().curvature(fit.linear_predictor, data.response));
  return marked_hat(*problem.penalty().analysis(), fit, data.weights, curvature);
}

SignalSolver::SignalSolver(const Problem& problem, const Vector& weights)
    : problem_(problem), analysis_(*problem.penalty().analysis()), weights_(weights) {}

std::vector<Fit> SignalSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  if (!problem_.loss().is_quadratic()) {
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) fits.push_back(newton(lambdas[k]));
    return fits;
  }
  if (!search_) {
    Vector signal = problem_.data().response - problem_.data().offset;
    search_ = analysis_.signals()->search(std::move(signal), weights_);
  }
  const auto patterns = search_->solve(lambdas, monitor);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    fits.push_back(make_fit(lambdas[k], *patterns[k], *search_));
    fits.back().hat = hat(fits.back(), *patterns[k], weights_);
  }
  return fits;
}

std::optional<Fit> SignalSolver::retry(const Fit& missed, int attempt) {
  if (attempt > 2 || problem_.loss().is_quadratic()) return std::nullopt;
  SignalSolver afresh(problem_, weights_);
  return std::move(afresh.solve(std::span(&missed.lambda, 1), {}).front());
}

Fit SignalSolver::make_fit(double lambda, const SignalPattern& pattern, const SignalSearch& search) const {
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = Vector::Zero(1);
  fit.coefficients = pattern.values();
  fit.multipliers = pattern.multipliers(search.signal(), search.weights(), lambda);
  return fit;
}

// At lambda = 0 equal neighbours are not tied by the penalty, so the marked pattern is taken.
Vector SignalSolver::hat(const Fit& fit, const SignalPattern& pattern, const Vector& curvature) const {
  return fit.lambda > 0.0 ? pattern.hat(weights_, curvature)
                          : marked_hat(analysis_, fit, weights_, curvature);
}

SignalSolver::Model SignalSolver::model_at(const Vector& values) const {
  const Dataset& data = problem_.data();
  const LossValues loss = problem_.loss().evaluate(data.offset + values, data.response);
  Model model;
  model.losses = loss.value;
  model.gradient = weights_.cwiseProduct(loss.derivative);
  model.weights = weights_.cwiseProduct(loss.curvature);
  const Vector seen = (weights_.array() > 0.0).select(data.offset + values, 0.0);
  const double distance = value_rounding * seen.lpNorm<Eigen::Infinity>();
  model.rounding = tolerances::objective_rounding * weights_.dot(loss.value.cwiseAbs()) +
                   distance * distance * model.weights.sum();
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

// The largest difference of the gradients of loss and model at the model's minimiser.
double SignalSolver::model_miss(const SignalSearch& model, const Vector& values, const Vector& gradient) {
  const auto of_model = model.weights().array() * (values - model.signal()).array();
  return (gradient.array() - of_model).abs().maxCoeff();
}

void SignalSolver::start_from(const Fit& fit) {
  values_ = fit.coefficients;
  const Vector terms = analysis_.matrix() * values_;
  variation_ = (fit.multipliers.array().abs() >= fit.lambda).select(terms, 0.0).lpNorm<1>();
}

Fit SignalSolver::newton(double lambda) {
  const Dataset& data = problem_.data();
  if (values_.size() == 0) values_ = null_fit(problem_, weights_).linear_predictor - data.offset;
  Fit best;
  double least_miss = std::numeric_limits<double>::infinity();
  int close = 0;  // undamped and damped models that promised less than `converged`
  int close_damped = 0;
  for (int count = 0;; ++count) {
    Model model = model_at(values_);
    const auto search = analysis_.signals()->search(std::move(model.signal), std::move(model.weights));
    const auto pattern = std::move(search->solve(std::span(&lambda, 1), {}).front());
    Vector next = pattern->values();
    const double variation = pattern->variation();
    const LossValues loss = problem_.loss().evaluate(data.offset + next, data.response);
    // The differences are summed: the difference of two sums over many rows would be rounding.
    const double gain = weights_.dot(model.losses - loss.value);
    const double saved = lambda * (variation_ - variation);
    const double promise = saved - model.gradient.dot(next - values_);
    const double size = weights_.dot(model.losses.cwiseAbs()) + lambda * variation_;
    const double rounding = model.rounding + tolerances::objective_rounding * lambda * variation_;
    const bool lower = gain + saved >= tolerances::sufficient_decrease * promise - rounding;
    if (!lower && count < most_models) {
      raise_damping();
      continue;
    }
    const bool is_close = promise <= converged * size + rounding;
    if (is_close || count == most_models) {
      // At a kink of the derivative of the loss rounding decides on which side a row is, so a later model may
      // be worse: the best one is kept.
      const double miss = model_miss(*search, next, weights_.cwiseProduct(loss.derivative));
      if (best.coefficients.size() == 0 || miss < least_miss) {
        least_miss = miss;
        best = make_fit(lambda, *pattern, *search);
        best.hat = hat(best, *pattern, weights_.cwiseProduct(loss.curvature));
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
