// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/proximal_signal.hpp"

#include <cmath>
#include <limits>

#include "problem/signal.hpp"

namespace alo {

namespace {

// A safeguard: steps of a bracketed search, of which about four are usual and bisection alone takes 60.
constexpr int most_steps = 200;
// A value is fitted by itself when the two differ by at most this share of the largest value of the signal
// plus lambda: some hundred times epsilon, the rounding of a proximal map. At a tenth a search may end by
// most_steps; at ten times predictions are good to twelve digits.
constexpr double rounding = 1e-13;
// The slope 1 - H_ii below which a Newton step is replaced by an expansion of the bracket. The slopes of this
// piecewise affine function are zero up to rounding or at least 1/n, so any value between 1e-13 and 1 / n
// serves.
constexpr double no_slope = 1e-9;

// A bracket of the zero of a rising function. The next point is that of a Newton step if it is inside, else
// the midpoint, or where a bound is missing a step by `reach`.
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
    : analysis_(*problem.penalty().analysis()),
      map_(*analysis_.proximal_map()),
      signal_(problem.data().response - problem.data().offset),
      offset_(problem.data().offset) {}

Fit ProximalSignal::fit(const Vector& signal, double lambda) const {
  Proximal found = map_.at(signal, lambda);
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = Vector::Zero(1);
  fit.coefficients = std::move(found.point);
  fit.multipliers = std::move(found.multipliers);
  fit.hat = map_.slopes(fit.multipliers, lambda);
  return fit;
}

std::vector<Fit> ProximalSignal::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k)
    fits.push_back(fit(signal_, lambdas[k]));
  return fits;
}

std::pair<double, double> ProximalSignal::values_without(Index row, const Fit& full, bool stays) const {
  const Vector others = stays ? full.coefficients : coefficients_without(row, full);
  const auto [low, high] = analysis_.best_values(others, Vector::Ones(others.size()), row);
  return {offset_[row] + low, offset_[row] + high};
}

Vector ProximalSignal::coefficients_without(Index row, const Fit& full) const {
  Vector signal = signal_;
  Vector coefficients = full.coefficients;
  double value = full.coefficients[row];
  double reach = std::abs(signal_[row] - value) + full.lambda;
  const double zero = rounding * (signal_.lpNorm<Eigen::Infinity>() + full.lambda);
  Bracket bracket;
  for (int count = 0; count < most_steps; ++count) {
    signal[row] = value;
    const Fit here = fit(signal, full.lambda);
    coefficients = here.coefficients;
    const double miss = value - coefficients[row];
    if (std::abs(miss) <= zero) break;
    bracket.note(value, miss);
    value = bracket.next(value, miss, 1.0 - here.hat[row], reach);
    reach *= 2.0;
  }
  return coefficients;
}

}  // namespace alo
