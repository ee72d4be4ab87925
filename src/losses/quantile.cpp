// SPDX-License-Identifier: MIT
#include "alo/losses/quantile.hpp"

#include <fmt/format.h>

#include "losses/bend.hpp"
#include "losses/parameters.hpp"

namespace alo {

namespace {

Bend bend_of(double tau) {
  return {-tau, 1.0 - tau};
}

}  // namespace

QuantileLoss::QuantileLoss(double tau) : tau_(checked_quantile(tau)) {}

std::string QuantileLoss::describe() const {
  return fmt::format("quantile loss (quantile {:.6g})", tau_);
}

Vector QuantileLoss::value(const VectorView& u, const VectorView& y) const {
  return (u - y).unaryExpr([bend = bend_of(tau_)](double r) { return bend.value(r); });
}

Vector QuantileLoss::derivative(const VectorView& u, const VectorView& y) const {
  return (u - y).unaryExpr([bend = bend_of(tau_)](double r) { return bend.slope(r); });
}

Vector QuantileLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  const Bend bend = bend_of(tau_);
  return Vector::NullaryExpr(y.size(), [&](Index i) { return bend.gap(u[i] - y[i], g[i]); });
}

Kinks QuantileLoss::kinks(const VectorView& y) const {
  const Bend bend = bend_of(tau_);
  return {y, Eigen::RowVector2d(bend.lower, bend.upper).replicate(y.size(), 1)};
}

}  // namespace alo
