// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The epsilon-insensitive loss of support vector regression (Vapnik 1995). With r = u - y and epsilon >= 0:
//
//     l(u; y) = max(0, |r| - epsilon),  l' = sign(r) for |r| > epsilon, else 0,
//     l*(g; y) = g y + epsilon |g| for |g| <= 1.
//
// Rows inside the tube |r| < epsilon have no influence, and those on its edge are pinned to a kink, at y -
// epsilon or y + epsilon. At epsilon = 0 it is the absolute loss.
class EpsilonInsensitiveLoss {
 public:
  // Throws InvalidArgument unless epsilon is finite and not negative.
  explicit EpsilonInsensitiveLoss(double epsilon);
  double epsilon() const { return epsilon_; }

  std::string name() const { return "epsilon-insensitive"; }
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
  // Two kinks, the edges of the tube; one, at u = y, when epsilon is zero.
  Kinks kinks(const VectorView& y) const;

 private:
  double epsilon_;
};

static_assert(LossModel<EpsilonInsensitiveLoss>);

}  // namespace alo
