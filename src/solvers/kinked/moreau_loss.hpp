// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "solvers/kinked/row_places.hpp"

namespace alo {

// What binds linear predictors to a loss with kinks, f_i = w_i l_i, in an augmented Lagrangian.
struct Springs {
  Loss loss;
  Vector weights;
  RowPlaces rows;
  Vector targets;  // t
  double sigma;
};

// min_z f(z) + t (u - z) + sigma (u - z)^2 / 2, weights included: smooth, with the kinks of f rounded off.
// Its derivative is the gradient that f has at the best z, its curvature sigma where that z is a kink. The
// springs are shared with their owner, who may change targets and sigma between fits.
class MoreauLoss {
 public:
  explicit MoreauLoss(std::shared_ptr<const Springs> springs) : springs_(std::move(springs)) {}

  std::string name() const { return "spring"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return springs_->loss.response_kind(); }
  Vector value(const VectorView& u, const VectorView& y) const { return evaluate(u, y).value; }
  Vector derivative(const VectorView& u, const VectorView& y) const { return evaluate(u, y).derivative; }
  Vector curvature(const VectorView& u, const VectorView& y) const { return evaluate(u, y).curvature; }
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const;
  Vector mean(const VectorView& u) const { return springs_->loss.mean(u); }
  void check_response(const VectorView& y) const { springs_->loss.check_response(y); }
  bool is_quadratic() const { return false; }

 private:
  std::shared_ptr<const Springs> springs_;
};

static_assert(LossModel<MoreauLoss>);

}  // namespace alo
