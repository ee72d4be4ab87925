// SPDX-License-Identifier: MIT
#include "solvers/signal_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/null_fit.hpp"

namespace alo {

namespace {

constexpr int most_models = 300;
constexpr double least_gain = 1e-4;
constexpr double objective_rounding = 1e-14;
// A promise below this share of the objective: the next model is the last, for steps at the end are
// quadratically better.
constexpr double settled = 1e-12;
// Rows without curvature have this share of the mean, lest they count as left out.
constexpr double flat_share = 1e-8;
constexpr double first_damping = 0.01;
constexpr double least_damping = 1e-4;
constexpr double most_damping = 1e8;

}  // namespace

bool is_identity(const Design& design) {
  const bool centred = design.center().size() > 0 && !design.center().isZero(0.0);
  const bool scaled = design.scale().size() > 0 && !(design.scale().array() == 1.0).all();
  if (design.rows() != design.columns() || centred || scaled) return false;
  if (!design.is_sparse()) {
    for (Index j = 0; j < design.columns(); ++j) {
      if (design.dense_values().col(j) != Vector::Unit(design.rows(), j)) return false;
    }
    return true;
  }
  const SparseMatrix& values = design.sparse_values();
  for (Index j = 0; j < values.cols(); ++j) {
    const SparseMatrix::InnerIterator entry(values, j);
    if (!entry || entry.row() != j || entry.value() != 1.0) return false;
  }
  return design.stored_entries() == design.rows();
}

const GeneralizedLasso* signal_penalty(const Problem& problem) {
  const auto* penalty = problem.penalty().as<GeneralizedLasso>();
  return penalty != nullptr && is_identity(problem.design()) ? penalty : nullptr;
}

Vector signal_hat(const Problem& problem, const Fit& fit) {
  const Dataset& data = problem.data();
  const auto& penalty = *problem.penalty().as<GeneralizedLasso>();
  const Vector curvature =
      data.weights.cwiseProduct(problem.loss().curvature(fit.linear_predictor, data.response));
  return signal_hat(marked_pattern(penalty, data.weights, fit), data.weights, curvature);
}

bool SignalSolver::suits(const Problem& problem) {
  const auto* penalty = problem.penalty().as<GeneralizedLasso>();
  return penalty != nullptr && has_signal_pattern(*penalty) && problem.outputs() == 1 &&
         !problem.loss().has_kinks() && !problem.intercept() && is_identity(problem.design());
}

SignalSolver::SignalSolver(const Problem& problem, const Vector& weights)
    : problem_(problem), penalty_(*problem.penalty().as<GeneralizedLasso>()), weights_(weights) {}

std::vector<Fit> SignalSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  if (!problem_.loss().is_quadratic()) {
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) fits.push_back(newton(lambdas[k]));
    return fits;
  }
  if (!path_) path_.emplace(penalty_, problem_.data().response - problem_.data().offset, weights_);
  const std::vector<SignalPattern> patterns = path_->solve(lambdas, monitor);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    fits.push_back(make_fit(lambdas[k], patterns[k], *path_));
    fits.back().hat = hat(fits.back(), patterns[k], weights_);
  }
  return fits;
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

void SignalSolver::start_from(const Fit& fit) {
  values_ = fit.coefficients;
  const Vector terms = penalty_.matrix() * values_;
  variation_ = (fit.multipliers.array().abs() >= fit.lambda).select(terms, 0.0).lpNorm<1>();
}

Fit SignalSolver::newton(double lambda) {
  const Dataset& data = problem_.data();
  if (values_.size() == 0) values_ = null_fit(problem_, weights_).linear_predictor - data.offset;
  bool last = false;
  for (int count = 0;; ++count) {
    Model model = model_at(values_);
    SignalPath path(penalty_, std::move(model.signal), std::move(model.weights));
    const SignalPattern pattern = std::move(path.solve(std::span(&lambda, 1), {}).front());
    Vector next = signal_values(pattern);
    const double variation = signal_variation(penalty_, pattern);
    // The change is summed, for sums over many rows are rounded by more than it is.
    const Vector losses = problem_.loss().value(data.offset + next, data.response);
    const double gain = weights_.dot(model.losses - losses);
    const double saved = lambda * (variation_ - variation);
    const double promise = saved - model.gradient.dot(next - values_);
    const double size = weights_.dot(model.losses.cwiseAbs()) + lambda * variation_;
    const bool lower = gain + saved >= least_gain * promise - objective_rounding * size;
    if (last || count == most_models) {
      Fit fit = make_fit(lambda, pattern, path);
      const Vector curvature = problem_.loss().curvature(data.offset + fit.coefficients, data.response);
      fit.hat = hat(fit, pattern, weights_.cwiseProduct(curvature));
      values_ = std::move(next);
      variation_ = variation;
      return fit;
    }
    if (!lower) {
      damping_ = std::min(most_damping, std::max(first_damping, 4.0 * damping_));
      continue;
    }
    values_ = std::move(next);
    variation_ = variation;
    damping_ = damping_ > least_damping ? 0.25 * damping_ : 0.0;
    last = promise <= settled * size;
  }
}

}  // namespace alo
