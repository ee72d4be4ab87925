// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "losses/row_kinks.hpp"
#include "solvers/kinked/method_of_multipliers.hpp"

namespace alo {

// The place of each row on its loss f_i, which is linear between kinks (RowKinks). On a piece the row's
// gradient g is the slope of the piece, and eta lies between the kinks at its ends. Pinned to a kink eta is
// the kink, and g lies between the slopes beside it. Places are numbered from left to right: piece 0, kink 0,
// piece 1, and so on. A row whose g or eta passes an end of its place moves to the neighbouring place.
class RowPlaces {
 public:
  // A row has not passed an end of its place if it is beyond it by less than this share of its range of
  // gradients or of the linear predictors: linear systems leave errors near 1e-13. At a tenth rows may change
  // places in turn; at ten times fits keep rows that have left their place by more than certificates allow.
  static constexpr double end_tolerance = 1e-11;

  explicit RowPlaces(RowKinks kinks);

  const RowKinks& kinks() const { return *kinks_; }
  Index size() const { return kinks_->rows(); }
  Index place(Index i) const { return places_[static_cast<std::size_t>(i)]; }
  void set_place(Index i, Index place) { places_[static_cast<std::size_t>(i)] = place; }
  const std::vector<Index>& places() const { return places_; }
  bool is_pinned(Index i) const { return place(i) % 2 == 1; }
  std::vector<Index> pinned() const;
  // The kinks of the pinned rows less their linear predictors.
  Vector distances_to_kinks(const std::vector<Index>& pinned, const VectorView& predictor) const;

  // The kink of a pinned row.
  double kink(Index i) const { return kinks_->position(place(i) / 2, i); }
  // The slope of a row on a piece.
  double slope(Index i) const { return kinks_->slope(place(i) / 2, i); }
  // The ends of the range of g, which are equal on a piece, and of eta, which are equal at a kink.
  double low_gradient(Index i) const { return kinks_->slope(place(i) / 2, i); }
  double high_gradient(Index i) const { return kinks_->slope((place(i) + 1) / 2, i); }
  double low_predictor(Index i) const { return is_pinned(i) ? kink(i) : kinks_->low_end(i, place(i) / 2); }
  double high_predictor(Index i) const { return is_pinned(i) ? kink(i) : kinks_->high_end(i, place(i) / 2); }
  bool is_beyond(Index i, double eta, double slack) const {
    return !(eta <= high_predictor(i) + slack && eta >= low_predictor(i) - slack);
  }
  // The width of the range of g over all places.
  double gradient_range(Index i) const { return kinks_->slope(kinks_->count(), i) - kinks_->slope(0, i); }
  // A row without weight has no gradient and is never pinned.
  bool is_idle(Index i) const { return gradient_range(i) == 0.0; }

  // Gives every row the place of its eta: the piece, or the kink if eta equals it.
  void place_by_predictor(const VectorView& predictor);
  // Gives every row the place of its g: the piece with exactly that slope, or the kink between the slopes. If
  // several pieces have the slope (a row without weight), the row takes the one of its eta.
  void place_by_gradient(const VectorView& gradient, const VectorView& predictor);
  // Gives every row the place of its proximal point z, and writes the derivatives of the Moreau envelopes to
  // `gradient`. True if a place has changed.
  bool place_by_proximal(const AugmentedTerm& term, const VectorView& predictor, Vector& gradient);
  // Moves every row that has passed an end of its place to the next one, and returns their number. A pinned
  // row that `depends` on the others was not led to its kink by the linear system, so it also leaves if it is
  // far from it.
  Index move_outgrown(const VectorView& predictor, const VectorView& gradient,
                      const std::vector<char>& depends);
  // Puts pinned rows whose g has reached a slope, up to `tolerance`, on the piece of that slope.
  void leave_ends(Vector& gradient, double tolerance = end_tolerance);

  struct Proximal {
    Index place;
    double gradient;
  };
  // The place of z with g = m + sigma (eta - z), g a subgradient at z, and that g.
  Proximal proximal(Index i, double eta, double multiplier, double sigma) const;
  // The derivative of the sum of Moreau envelopes along a direction.
  double envelope_slope(const AugmentedTerm& term, const VectorView& predictor, const VectorView& direction,
                        double length) const;
  // Whether all rows keep their places up to a tolerance.
  bool holds(const VectorView& predictor, const VectorView& gradient, double tolerance) const;
  // Whether a row on a piece is at its end up to rounding.
  bool touches_kink(const VectorView& predictor) const;

  // The first term of the method of multipliers, with multipliers that are the gradients brought into the
  // ranges of the places. With a multiplier in the middle of its range, a row is pinned within range / (2
  // sigma) of a kink. Sigma is chosen so that this distance reaches `bound` rows, and at least a share
  // `least_reach` of the linear predictors.
  AugmentedTerm first_term(const VectorView& gradient, const VectorView& predictor, Index bound,
                           double least_reach) const;
  // The same if the number of pinned rows is not known, except that it is at least `least_bound`.
  AugmentedTerm first_term(const VectorView& gradient, const VectorView& predictor, Index least_bound) const;

 private:
  Index place_of_predictor(Index i, double eta) const;
  Index place_of_gradient(Index i, double gradient, double eta) const;

  std::shared_ptr<const RowKinks> kinks_;
  std::vector<Index> places_;
};

}  // namespace alo
