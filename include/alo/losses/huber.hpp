// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// Huber's loss (Huber 1964). With r = u - y and delta > 0:
//
//     l(u; y) = r^2 / 2 for |r| <= delta, else delta |r| - delta^2 / 2,
//     l' = r clipped to [-delta, delta],  l'' = 1 for |r| <= delta, else 0,
//     l*(g; y) = g^2 / 2 + g y for |g| <= delta.
//
// It suits a numeric response with outliers: it is the squared loss for small residuals, and the pull of a
// large one is bounded. A row beyond delta has no curvature, hence leverage zero.
class HuberLoss {
 public:
  // Throws InvalidArgument unless delta is positive and finite.
  explicit HuberLoss(double delta);
  double delta() const { return delta_; }

  std::string name() const { return "huber"; }
  std::string describe() const;
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return ResponseKind::number; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  Vector mean(const VectorView& u) const { return u; }
  void check_response(const VectorView&) const {}
  bool is_quadratic() const { return false; }

 private:
  double delta_;
};

static_assert(LossModel<HuberLoss>);

// 1.345 * 1.4826 * median of |y - median of y|, with weighted medians. Under normal errors, and when
// nothing but errors is in the response, Huber's estimate then has 95 % of the efficiency of the mean.
// Where more than half of the responses are equal, that median is zero and the default is 1.345 times the
// mean of |y - median of y|; it is 1 where that is zero too.
double default_delta(const VectorView& response, const VectorView& weights);

}  // namespace alo
