// SPDX-License-Identifier: MIT
#include "alo/losses/huber.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "losses/parameters.hpp"

namespace alo {

namespace {

// Huber's delta in units of the standard deviation of the errors. 1.345 gives 95 % of the efficiency of the
// mean under normal errors (Holland and Welsch 1977). At ten times the value no residual is an outlier.
constexpr double efficiency_factor = 1.345;
// The standard deviation of a normal variable over its median absolute deviation, 1 / Phi^-1(3/4).
constexpr double normal_deviation = 1.4826;

// The median of all values, each counted with its weight.
double weighted_median(const Vector& values, const VectorView& weights) {
  std::vector<Index> order;
  for (Index i = 0; i < values.size(); ++i) {
    if (weights[i] > 0.0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  const double half = 0.5 * weights.sum();
  double below = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    below += weights[order[k]];
    if (below > half || k + 1 == order.size()) return values[order[k]];
    if (below == half) return 0.5 * (values[order[k]] + values[order[k + 1]]);
  }
  return 0.0;
}

// For |r| > delta, with s the sign of r and d = delta - s g >= 0, the gap is d (|r| - delta + d / 2).
double gap(double r, double g, double delta) {
  if (outside_interval(g, delta)) return std::numeric_limits<double>::infinity();
  if (std::abs(r) <= delta) return 0.5 * (r - g) * (r - g);
  const double missing = std::max(delta - (r > 0.0 ? g : -g), 0.0);
  return missing * (std::abs(r) - delta + 0.5 * missing);
}

}  // namespace

HuberLoss::HuberLoss(double delta) : delta_(checked_delta(delta)) {}

std::string HuberLoss::describe() const {
  return fmt::format("huber loss (delta {:.6g})", delta_);
}

Vector HuberLoss::value(const VectorView& u, const VectorView& y) const {
  const auto size = (u - y).array().abs();
  return (size <= delta_).select(0.5 * size.square(), delta_ * (size - 0.5 * delta_));
}

Vector HuberLoss::derivative(const VectorView& u, const VectorView& y) const {
  return (u - y).cwiseMax(-delta_).cwiseMin(delta_);
}

Vector HuberLoss::curvature(const VectorView& u, const VectorView& y) const {
  return ((u - y).array().abs() <= delta_).cast<double>();
}

Vector HuberLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return gap(u[i] - y[i], g[i], delta_); });
}

double default_delta(const VectorView& response, const VectorView& weights) {
  const double center = weighted_median(response, weights);
  const Vector deviations = (response.array() - center).abs();
  const double median = weighted_median(deviations, weights);
  if (median > 0.0) return efficiency_factor * normal_deviation * median;
  const double mean = weights.dot(deviations) / weights.sum();
  return mean > 0.0 ? efficiency_factor * mean : 1.0;
}

}  // namespace alo
