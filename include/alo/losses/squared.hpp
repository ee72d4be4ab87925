// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The squared loss, with factor 1/2:
//
//     l(u; y) = (u - y)^2 / 2,  l' = u - y,  l'' = 1,  l*(g; y) = g^2 / 2 + g y.
//
// It is the default for a numeric response. With a ridge penalty, approximate leave-one-out is exact.
struct SquaredLoss {
  std::string name() const { return "squared"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const { return 0.5 * (u - y).array().square(); }
  Vector derivative(const VectorView& u, const VectorView& y) const { return u - y; }
  Vector curvature(const VectorView& u, const VectorView&) const { return Vector::Ones(u.size()); }
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
    return 0.5 * (u - y - g).array().square();
  }
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  Vector mean(const VectorView& u) const { return u; }
  void check_response(const VectorView&) const {}
  bool is_quadratic() const { return true; }
};

static_assert(LossModel<SquaredLoss>);

}  // namespace alo
