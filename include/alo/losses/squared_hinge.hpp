// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// For a class y in {-1, +1}, with h = max(0, 1 - y u):
//
//     l(u; y) = h^2 / 2,  l' = -y h,  l'' = 1 for y u < 1, else 0,
//     l*(g; y) = q^2 / 2 - q with q = -y g >= 0.
//
// At zero l = 1/2. A support vector machine with a differentiable loss: rows beyond the margin do
// not count. No likelihood, but in the population u = 2 P(+1) - 1 is best, which `mean` inverts.
struct SquaredHingeLoss {
  std::string name() const { return "squared-hinge"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::two_classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // (1 + u) / 2, cut off at 0 and 1
  Vector mean(const VectorView& u) const;
  // -1 and +1, both of them
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<SquaredHingeLoss>);

}  // namespace alo
