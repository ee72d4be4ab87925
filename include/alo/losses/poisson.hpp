// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The Poisson loss with log link: minus the log likelihood of a count y >= 0 with mean exp(u), without the
// constant log y!,
//
//     l(u; y) = exp(u) - y u,  l' = exp(u) - y,  l'' = exp(u),
//     l*(g; y) = m log m - m with m = y + g >= 0;  min l = y - y log y.
//
// At zero l = 1. It suits counts and rates; an exposure enters as the offset log(exposure). Counts need not
// be integers, because the fit depends on the mean alone (quasi-Poisson). The Fenchel gap is the relative
// entropy of the means m and exp(u).
struct PoissonLoss {
  std::string name() const { return "poisson"; }
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
  // Accepts nonnegative numbers that are not all zero: with zeros alone the optimal intercept would be
  // minus infinity.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }
};

static_assert(LossModel<PoissonLoss>);

}  // namespace alo
