// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "solvers/kinked/row_places.hpp"

namespace alo {

// The data of the Moreau envelopes of a loss with kinks, f_i = w_i l_i.
struct MoreauRows {
  Loss loss;
  Vector weights;
  RowPlaces places;
  AugmentedTerm term;
};

// The shifted Moreau envelopes of a method of multipliers (AugmentedTerm), weights included, as a smooth
// loss. The rows are shared with their owner, who may change multipliers and sigma between fits.
class MoreauLoss {
 public:
  explicit MoreauLoss(std::shared_ptr<const MoreauRows> rows) : rows_(std::move(rows)) {}

  std::string name() const { return "moreau"; }
  Index outputs() const { return 1; }
  ResponseKind response_kind() const { return rows_->loss.response_kind(); }
  Vector value(const VectorView& u, const VectorView& y) const { return evaluate(u, y).value; }
  Vector derivative(const VectorView& u, const VectorView& y) const { return evaluate(u, y).derivative; }
  Vector curvature(const VectorView& u, const VectorView& y) const { return evaluate(u, y).curvature; }
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const;
  Vector mean(const VectorView& u) const { return rows_->loss.mean(u); }
  void check_response(const VectorView& y) const { rows_->loss.check_response(y); }
  bool is_quadratic() const { return false; }

 private:
  std::shared_ptr<const MoreauRows> rows_;
};

static_assert(LossModel<MoreauLoss>);

}  // namespace alo
