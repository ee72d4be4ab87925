// SPDX-License-Identifier: MIT
#include "alo/losses/epsilon_insensitive.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "losses/bend.hpp"
#include "losses/parameters.hpp"

namespace alo {

namespace {

// The loss is a sum of two bends at the edges of the tube. A slope g is shared between them by its sign.
// Residuals are taken from the rounded edges y -+ epsilon, the positions of the kinks, so that a row on a
// kink has a residual of exactly zero.
constexpr Bend below{-1.0, 0.0};  // at y - epsilon
constexpr Bend above{0.0, 1.0};   // at y + epsilon

}  // namespace

EpsilonInsensitiveLoss::EpsilonInsensitiveLoss(double epsilon) : epsilon_(checked_epsilon(epsilon)) {}

std::string EpsilonInsensitiveLoss::describe() const {
  return fmt::format("epsilon-insensitive loss (epsilon {:.6g})", epsilon_);
}

Vector EpsilonInsensitiveLoss::value(const VectorView& u, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return below.value(u[i] - (y[i] - epsilon_)) + above.value(u[i] - (y[i] + epsilon_));
  });
}

Vector EpsilonInsensitiveLoss::derivative(const VectorView& u, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return below.slope(u[i] - (y[i] - epsilon_)) + above.slope(u[i] - (y[i] + epsilon_));
  });
}

Vector EpsilonInsensitiveLoss::fenchel_gap(const VectorView& u, const VectorView& g,
                                           const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return below.gap(u[i] - (y[i] - epsilon_), std::min(g[i], 0.0)) +
           above.gap(u[i] - (y[i] + epsilon_), std::max(g[i], 0.0));
  });
}

Kinks EpsilonInsensitiveLoss::kinks(const VectorView& y) const {
  if (epsilon_ == 0.0) return {y, Eigen::RowVector2d(-1.0, 1.0).replicate(y.size(), 1)};
  Matrix position(y.size(), 2);
  position.col(0) = y.array() - epsilon_;
  position.col(1) = y.array() + epsilon_;
  return {std::move(position), Eigen::RowVector3d(-1.0, 0.0, 1.0).replicate(y.size(), 1)};
}

}  // namespace alo
