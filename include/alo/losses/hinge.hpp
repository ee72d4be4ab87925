// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The hinge loss of the support vector machine (Cortes and Vapnik 1995). For a class y in {-1, +1}:
//
//     l(u; y) = max(0, 1 - y u),  l' = -y for y u < 1, else 0,
//     l*(g; y) = y g for -y g in [0, 1].
//
// At zero l = 1. Rows beyond the margin have no influence, and those on it are pinned to the kink at u = y.
// The loss is not a likelihood: in the population u is the likelier class itself.
struct HingeLoss {
  std::string name() const { return "hinge"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::two_classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView&) const { return Vector::Zero(u.size()); }
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // (1 + u) / 2, clipped to [0, 1]. It is a score: the hinge loss does not estimate probabilities.
  Vector mean(const VectorView& u) const;
  // Accepts -1 and +1, and requires both.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
  // One kink, at u = y.
  Kinks kinks(const VectorView& y) const;
};

static_assert(LossModel<HingeLoss>);

}  // namespace alo
