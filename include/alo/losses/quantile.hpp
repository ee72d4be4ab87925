// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The quantile loss, or pinball loss (Koenker and Bassett 1978). With r = u - y and 0 < tau < 1:
//
//     l(u; y) = max(-tau r, (1 - tau) r),  l' = -tau below y, 1 - tau above,
//     l*(g; y) = g y for -tau <= g <= 1 - tau.
//
// In the population u is the tau-quantile of the response. At tau = 1/2 it is half the absolute loss. Rows
// with a residual of zero are pinned to the kink at u = y.
class QuantileLoss {
 public:
  // Throws InvalidArgument unless 0 < tau < 1.
  explicit QuantileLoss(double tau);
  double tau() const { return tau_; }

  std::string name() const { return "quantile"; }
  std::string describe() const;
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView&) const { return Vector::Zero(u.size()); }
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  Vector mean(const VectorView& u) const { return u; }
  void check_response(const VectorView&) const {}
  bool is_quadratic() const { return false; }
  // One kink, at u = y.
  Kinks kinks(const VectorView& y) const;

 private:
  double tau_;
};

static_assert(LossModel<QuantileLoss>);

}  // namespace alo
