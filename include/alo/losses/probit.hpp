// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The probit loss: minus the log likelihood of a class y in {-1, +1} with P(+1) = Phi(u), where Phi is the
// normal distribution function and phi its density. With v = y u and m = phi(v) / Phi(v):
//
//     l(u; y) = -log Phi(v),  l' = -y m,  l'' = m (m + v),
//     l*(g; y) = -q v* + log Phi(v*) with q = -y g >= 0 and v* such that phi(v*) / Phi(v*) = q.
//
// At zero l = log 2. It resembles the logistic loss, but grows with the square of a negative margin, so
// that a mislabelled row pulls harder. The curvature is the observed one.
struct ProbitLoss {
  std::string name() const { return "probit"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::two_classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // Phi(u), the probability of +1
  Vector mean(const VectorView& u) const;
  // Accepts -1 and +1, and requires both.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<ProbitLoss>);

}  // namespace alo
