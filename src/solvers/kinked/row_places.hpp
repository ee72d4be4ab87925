// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/loss.hpp"

namespace alo {

// Where each row stands on its loss, which is linear between kinks (weights included). On a piece its
// gradient g is the piece's slope, and eta lies between the kinks at the piece's ends. Pinned to a kink eta
// is the kink, and g lies between the slopes beside it. Places are numbered from left to right: piece 0,
// kink 0, piece 1, and so on; whatever a row outgrows, g or eta, its next place is the neighbour.
class RowPlaces {
 public:
  RowPlaces(const Loss& loss, const VectorView& response, const VectorView& weights);

  Index size() const { return position_.rows(); }
  Index place(Index i) const { return places_[static_cast<std::size_t>(i)]; }
  void set_place(Index i, Index place) { places_[static_cast<std::size_t>(i)] = place; }
  const std::vector<Index>& places() const { return places_; }
  bool is_pinned(Index i) const { return place(i) % 2 == 1; }
  std::vector<Index> pinned() const;

  // Of a pinned row.
  double kink(Index i) const { return position_(i, place(i) / 2); }
  // Of a row on a piece.
  double slope(Index i) const { return slope_(i, place(i) / 2); }
  // Ends of what g may be, equal on a piece; ends of what eta may be, equal at a kink.
  double low_gradient(Index i) const { return slope_(i, place(i) / 2); }
  double high_gradient(Index i) const { return slope_(i, (place(i) + 1) / 2); }
  double low_predictor(Index i) const;
  double high_predictor(Index i) const;
  // Width of what g may be over all places.
  double gradient_range(Index i) const { return slope_(i, slope_.cols() - 1) - slope_(i, 0); }
  // A row without weight has no gradient and is never pinned.
  bool is_idle(Index i) const { return gradient_range(i) == 0.0; }

  // The piece, or at a kink the kink, where eta lies.
  Index place_of_predictor(Index i, double eta) const;
  // The place where g lies: the piece of that very slope, or the kink beside which it lies. Of two pieces
  // with the same slope (a row without weight) the one where eta lies.
  Index place_of_gradient(Index i, double gradient, double eta) const;
  // The place of the proximal point: where g and eta meet if g = target + sigma (eta - z), z the point on the
  // loss. Its gradient is written to `gradient`.
  Index place_of_proximal(Index i, double eta, double target, double sigma, double& gradient) const;
  // Distance from eta to the nearest kink.
  double distance_to_kink(Index i, double eta) const;

  // Of an augmented Lagrangian: gradients as the places allow them, for its first targets, and a stiffness
  // with which its springs bind a share of the rows.
  Vector nearest_gradients(const Vector& gradient) const;
  double first_stiffness(const Vector& predictor, double size_of_predictors) const;

 private:
  Matrix position_;  // n x m
  Matrix slope_;     // n x (m + 1), weights included
  std::vector<Index> places_;
};

}  // namespace alo
