// SPDX-License-Identifier: MIT
#include "alo/losses/probit.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "losses/normal_tail.hpp"
#include "losses/responses.hpp"

namespace alo {

namespace {

// Distance between v and its dual partner up to which the gap comes from quadrature. At 0.5 the quadrature
// has a relative error of 1e-15 (v = -3) to 2e-10 (v = 4); beyond, the difference of logarithms loses at
// most two digits. At ten times the value the quadrature is wrong in the second digit; at a tenth the
// difference loses four digits.
constexpr double near = 0.5;

// The Taylor remainder f(v) - f(a) - f'(a) (v - a) = (v - a)^2 times the integral over [0, 1] of (1 - s)
// f''(a + s (v - a)), for f = -log Phi and a near v, by Gauss-Legendre quadrature with five points.
double near_gap(double v, double a) {
  constexpr std::array points = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                 0.95308992296933200};
  constexpr std::array weights = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                  0.23931433524968324, 0.11846344252809454};
  double integral = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const NormalTail tail = normal_tail(a + points[k] * (v - a));
    integral += weights[k] * (1.0 - points[k]) * tail.hazard * tail.excess;
  }
  return (v - a) * (v - a) * integral;
}

double gap(double v, double q) {
  if (q < 0.0) return std::numeric_limits<double>::infinity();
  if (q == 0.0) return -normal_tail(v).log_probability;
  const double touching = inverse_hazard(q);
  if (std::abs(v - touching) <= near) return near_gap(v, touching);
  return normal_tail(touching).log_probability - normal_tail(v).log_probability + q * (v - touching);
}

}  // namespace

Vector ProbitLoss::value(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return -normal_tail(b * a).log_probability; });
}

Vector ProbitLoss::derivative(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return -b * normal_tail(b * a).hazard; });
}

Vector ProbitLoss::curvature(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) {
    const NormalTail tail = normal_tail(b * a);
    return tail.hazard * tail.excess;
  });
}

LossValues ProbitLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const Index n = y.size();
  LossValues result{Vector(n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const NormalTail tail = normal_tail(y[i] * u[i]);
    result.value[i] = -tail.log_probability;
    result.derivative[i] = -y[i] * tail.hazard;
    result.curvature[i] = tail.hazard * tail.excess;
  }
  return result;
}

Vector ProbitLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return gap(y[i] * u[i], -y[i] * g[i]); });
}

Vector ProbitLoss::mean(const VectorView& u) const {
  return u.unaryExpr([](double a) { return std::exp(normal_tail(a).log_probability); });
}

void ProbitLoss::check_response(const VectorView& y) const {
  check_two_classes(name(), y);
}

}  // namespace alo
