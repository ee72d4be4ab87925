// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The absolute loss, for least absolute deviations. With r = u - y:
//
//     l(u; y) = |r|,  l' = sign(r),  l*(g; y) = g y for |g| <= 1.
//
// In the population u is a median of the response, and an outlier pulls no harder than any other row. Rows
// with a residual of zero are pinned to the kink at u = y.
struct AbsoluteLoss {
  std::string name() const { return "absolute"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const { return (u - y).cwiseAbs(); }
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView&) const { return Vector::Zero(u.size()); }
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  Vector mean(const VectorView& u) const { return u; }
  void check_response(const VectorView&) const {}
  bool is_quadratic() const { return false; }
  // One kink, at u = y.
  Kinks kinks(const VectorView& y) const;
};

static_assert(LossModel<AbsoluteLoss>);

}  // namespace alo
