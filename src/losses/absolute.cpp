// SPDX-License-Identifier: MIT
#include "alo/losses/absolute.hpp"

#include "losses/bend.hpp"

namespace alo {

namespace {

constexpr Bend bend{-1.0, 1.0};

}  // namespace

Vector AbsoluteLoss::derivative(const VectorView& u, const VectorView& y) const {
  return (u - y).unaryExpr([](double r) { return bend.slope(r); });
}

Vector AbsoluteLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return bend.gap(u[i] - y[i], g[i]); });
}

Kinks AbsoluteLoss::kinks(const VectorView& y) const {
  return {y, Eigen::RowVector2d(bend.lower, bend.upper).replicate(y.size(), 1)};
}

}  // namespace alo
