// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The logistic loss: minus the log likelihood of a class y in {-1, +1} whose log odds are u. With s(u) = 1
// / (1 + exp(-u)):
//
//     l(u; y) = log(1 + exp(-y u)),  l' = -y s(-y u),  l'' = s(u) s(-u),
//     l*(g; y) = q log q + (1 - q) log(1 - q) with q = -y g in [0, 1].
//
// At zero l = log 2. It is the default for a response of two classes. The Fenchel gap is the relative
// entropy of the probabilities q and s(-y u) of the other class.
struct LogisticLoss {
  std::string name() const { return "logistic"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::two_classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // s(u), the probability of +1
  Vector mean(const VectorView& u) const;
  // Accepts -1 and +1, and requires both.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<LogisticLoss>);

}  // namespace alo
