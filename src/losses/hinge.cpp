// SPDX-License-Identifier: MIT
#include "alo/losses/hinge.hpp"

#include "losses/bend.hpp"
#include "losses/responses.hpp"

namespace alo {

namespace {

// The loss as a function of y u - 1; its slope in that argument is y l'.
constexpr Bend bend{-1.0, 0.0};

}  // namespace

Vector HingeLoss::value(const VectorView& u, const VectorView& y) const {
  return (1.0 - y.array() * u.array()).max(0.0);
}

Vector HingeLoss::derivative(const VectorView& u, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return y[i] * bend.slope(y[i] * u[i] - 1.0); });
}

Vector HingeLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return bend.gap(y[i] * u[i] - 1.0, y[i] * g[i]); });
}

Vector HingeLoss::mean(const VectorView& u) const {
  return (0.5 * (1.0 + u.array())).max(0.0).min(1.0);
}

void HingeLoss::check_response(const VectorView& y) const {
  check_two_classes(name(), y);
}

Kinks HingeLoss::kinks(const VectorView& y) const {
  Matrix slope(y.size(), 2);
  slope.col(0) = -y.cwiseMax(0.0);
  slope.col(1) = -y.cwiseMin(0.0);
  return {y, std::move(slope)};
}

}  // namespace alo
