// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// Minus the log likelihood of a class y in {-1, +1} with P(+1) = Phi(u), the normal distribution
// function; phi its density, v = y u and m = phi(v) / Phi(v):
//
//     l(u; y) = -log Phi(v),  l' = -y m,  l'' = m (m + v),
//     l*(g; y) = -q v* + log Phi(v*) with q = -y g >= 0 and v* where m is q.
//
// At zero l = log 2. Like the logistic loss, but it grows with the square of a wrong margin, so single
// mislabelled rows pull harder. The curvature is the observed one.
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
  // -1 and +1, both of them
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<ProbitLoss>);

}  // namespace alo
