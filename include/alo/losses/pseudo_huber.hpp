// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The pseudo-Huber loss. With r = u - y, delta > 0 and s = sqrt(1 + (r / delta)^2):
//
//     l(u; y) = delta^2 (s - 1),  l' = r / s,  l'' = s^-3,
//     l*(g; y) = delta^2 (1 - sqrt(1 - (g / delta)^2)) + g y for |g| <= delta.
//
// It is Huber's loss with a smooth derivative. Every row has some curvature, so that leaving out a row near
// delta changes the leave-one-out formula gradually and not at once.
class PseudoHuberLoss {
 public:
  // Throws InvalidArgument unless delta is positive and finite. The default is that of Huber's loss,
  // default_delta.
  explicit PseudoHuberLoss(double delta);
  double delta() const { return delta_; }

  std::string name() const { return "pseudo-huber"; }
  std::string describe() const;
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  Vector mean(const VectorView& u) const { return u; }
  void check_response(const VectorView&) const {}
  bool is_quadratic() const { return false; }

 private:
  double delta_;
};

static_assert(LossModel<PseudoHuberLoss>);

}  // namespace alo
