// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The gamma loss with log link: minus the log likelihood, up to a constant and the shape parameter, of a
// gamma variable y > 0 with mean exp(u),
//
//     l(u; y) = u + y exp(-u),  l' = 1 - y exp(-u),  l'' = y exp(-u),
//     l*(g; y) = a log(a / y) - a with a = 1 - g >= 0;  min l = 1 + log y.
//
// At zero l = y. It suits positive amounts whose standard deviation is proportional to their mean, such as
// costs and durations. The curvature is the observed one; the expected one, 1, is not the Hessian of the
// objective. The Fenchel gap is the relative entropy of a and y exp(-u).
struct GammaLoss {
  std::string name() const { return "gamma"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const;
  // exp(u)
  Vector mean(const VectorView& u) const;
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<GammaLoss>);

}  // namespace alo
