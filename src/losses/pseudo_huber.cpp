// SPDX-License-Identifier: MIT
#include "alo/losses/pseudo_huber.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "losses/parameters.hpp"

namespace alo {

namespace {

// In units of delta, with r = tan f and g = sin t: the gap is (1 - cos(t - f)) / cos f.
double unit_gap(double r, double g) {
  if (outside_interval(g, 1.0)) return std::numeric_limits<double>::infinity();
  const double sine = std::clamp(g, -1.0, 1.0);
  const double cosine = std::sqrt((1.0 - sine) * (1.0 + sine));
  const double secant = std::hypot(1.0, r);
  const double sine_difference = (sine - cosine * r) / secant;
  const double cosine_difference = (cosine + sine * r) / secant;
  if (cosine_difference < 0.0) return secant * (1.0 - cosine_difference);
  return secant * sine_difference * sine_difference / (1.0 + cosine_difference);
}

}  // namespace

PseudoHuberLoss::PseudoHuberLoss(double delta) : delta_(checked_delta(delta)) {}

std::string PseudoHuberLoss::describe() const {
  return fmt::format("pseudo-huber loss (delta {:.6g})", delta_);
}

Vector PseudoHuberLoss::value(const VectorView& u, const VectorView& y) const {
  return evaluate(u, y).value;
}

Vector PseudoHuberLoss::derivative(const VectorView& u, const VectorView& y) const {
  return evaluate(u, y).derivative;
}

Vector PseudoHuberLoss::curvature(const VectorView& u, const VectorView& y) const {
  return evaluate(u, y).curvature;
}

LossValues PseudoHuberLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const Eigen::ArrayXd r = u - y;
  const Eigen::ArrayXd root = (1.0 + (r / delta_).square()).sqrt();
  LossValues result;
  // delta^2 (s - 1) without the cancellation for a small residual
  result.value = r.square() / (1.0 + root);
  result.derivative = r / root;
  result.curvature = root.cube().inverse();
  return result;
}

Vector PseudoHuberLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(
      y.size(), [&](Index i) { return delta_ * delta_ * unit_gap((u[i] - y[i]) / delta_, g[i] / delta_); });
}

}  // namespace alo
