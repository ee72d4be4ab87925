// SPDX-License-Identifier: MIT
#include "alo/losses/squared_hinge.hpp"

#include <limits>

#include "losses/responses.hpp"

namespace alo {

namespace {

double gap(double margin, double q) {
  if (q < 0.0) return std::numeric_limits<double>::infinity();
  if (margin >= 1.0) return 0.5 * q * q + q * (margin - 1.0);
  const double difference = 1.0 - margin - q;
  return 0.5 * difference * difference;
}

}  // namespace

Vector SquaredHingeLoss::value(const VectorView& u, const VectorView& y) const {
  return 0.5 * (1.0 - y.array() * u.array()).max(0.0).square();
}

Vector SquaredHingeLoss::derivative(const VectorView& u, const VectorView& y) const {
  return -y.array() * (1.0 - y.array() * u.array()).max(0.0);
}

Vector SquaredHingeLoss::curvature(const VectorView& u, const VectorView& y) const {
  return (y.array() * u.array() < 1.0).cast<double>();
}

Vector SquaredHingeLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return gap(y[i] * u[i], -y[i] * g[i]); });
}

Vector SquaredHingeLoss::mean(const VectorView& u) const {
  return (0.5 * (1.0 + u.array())).max(0.0).min(1.0);
}

void SquaredHingeLoss::check_response(const VectorView& y) const {
  check_two_classes(name(), y);
}

}  // namespace alo
