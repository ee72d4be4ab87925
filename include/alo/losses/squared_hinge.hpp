// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The squared hinge loss. For a class y in {-1, +1} and h = max(0, 1 - y u):
//
//     l(u; y) = h^2 / 2,  l' = -y h,  l'' = 1 for y u < 1, else 0,
//     l*(g; y) = q^2 / 2 - q with q = -y g >= 0.
//
// At zero l = 1/2. It gives a support vector machine with a differentiable loss: rows beyond the margin
// have no influence. It is not a likelihood, but its minimiser in the population is u = 2 P(+1) - 1, which
// `mean` solves for P(+1).
struct SquaredHingeLoss {
  std::string name() const { return "squared-hinge"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::two_classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // (1 + u) / 2, clipped to [0, 1]
  Vector mean(const VectorView& u) const;
  // Accepts -1 and +1, and requires both.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<SquaredHingeLoss>);

}  // namespace alo
