// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/proximal_signal.hpp"

#include <cmath>
#include <limits>

#include "problem/signal.hpp"
#include "signals/graph.hpp"
#include "signals/multiplier.hpp"
#include "solvers/generalized_lasso/signal_pattern.hpp"

namespace alo {

namespace {

constexpr int most_steps = 200;
// A row is fitted by its own value up to this, relative to the largest of the signal and to lambda.
constexpr double rounding = 1e-13;
constexpr double no_slope = 1e-9;

// One in the directions of the details that are not zero, and in that of the mean.
Vector wavelet_hat(const GeneralizedLasso& penalty, const Fit& fit) {
  const SparseMatrix& details = penalty.matrix();
  Vector hat = Vector::Constant(details.cols(), 1.0 / static_cast<double>(details.cols()));
  for (Index j = 0; j < details.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(details, j); entry; ++entry) {
      if (std::abs(fit.multipliers[entry.row()]) >= fit.lambda) hat[j] += entry.value() * entry.value();
    }
  }
  return hat;
}

// Means of blocks, but for those that are zero.
Vector block_hat(const GeneralizedLasso& penalty, const Fit& fit) {
  const Vector ones = Vector::Ones(fit.coefficients.size());
  Vector hat = signal_hat(marked_pattern(penalty, ones, fit), ones, ones);
  const auto own = fit.multipliers.tail(hat.size());
  return (own.array().abs() >= fit.lambda).select(hat, 0.0);
}

// Differences of equal coefficients are zero without rounding.
void mark(const Vector& terms, Fit& fit) {
  for (Index k = 0; k < terms.size(); ++k) {
    fit.multipliers[k] = marked_multiplier(fit.multipliers[k], terms[k], fit.lambda);
  }
}

// A bracket of a rising function's zero: Newton's steps that stay inside, and halves where they do not.
class Bracket {
 public:
  void note(double place, double value) { (value < 0.0 ? low_ : high_) = place; }
  double next(double place, double value, double slope, double reach) const {
    const double step = slope > no_slope ? -value / slope : std::copysign(reach, -value);
    const double newton = place + step;
    if (low_ < newton && newton < high_) return newton;
    return std::isfinite(low_ + high_) ? 0.5 * (low_ + high_) : place + std::copysign(reach, -value);
  }

 private:
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
};

}  // namespace

ProximalSignal::ProximalSignal(const Problem& problem)
    : penalty_(*problem.penalty().as<GeneralizedLasso>()),
      signal_(problem.data().response - problem.data().offset),
      offset_(problem.data().offset) {}

Fit ProximalSignal::fit(const Vector& signal, double lambda) const {
  Proximal found = penalty_.prox(signal, lambda);
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = Vector::Zero(1);
  fit.coefficients = std::move(found.point);
  fit.multipliers = std::move(found.multipliers);
  if (!penalty_.is_orthonormal()) mark(penalty_.matrix() * fit.coefficients, fit);
  fit.hat = proximal_hat(penalty_, fit);
  return fit;
}

std::vector<Fit> ProximalSignal::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k)
    fits.push_back(fit(signal_, lambdas[k]));
  return fits;
}

double ProximalSignal::predict_without(Index row, const Fit& full) const {
  Vector signal = signal_;
  double value = full.coefficients[row];
  double reach = std::abs(signal_[row] - value) + full.lambda;
  const double zero = rounding * (signal_.lpNorm<Eigen::Infinity>() + full.lambda);
  Bracket bracket;
  for (int count = 0; count < most_steps; ++count) {
    signal[row] = value;
    const Fit here = fit(signal, full.lambda);
    const double miss = value - here.coefficients[row];
    if (std::abs(miss) <= zero) break;
    bracket.note(value, miss);
    value = bracket.next(value, miss, 1.0 - here.hat[row], reach);
    reach *= 2.0;
  }
  return offset_[row] + value;
}

Vector proximal_hat(const GeneralizedLasso& penalty, const Fit& fit) {
  return penalty.is_orthonormal() ? wavelet_hat(penalty, fit) : block_hat(penalty, fit);
}

}  // namespace alo
