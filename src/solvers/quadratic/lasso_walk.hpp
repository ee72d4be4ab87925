// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// A walk along a piecewise affine path of lasso solutions, from knot to knot (the homotopy of Osborne,
// Presnell and Turlach 2000; LARS with the lasso modification of Efron, Hastie, Johnstone and Tibshirani
// 2004).
//
// The state z holds a coefficient for every active coordinate and a gradient for every other one. Each has
// two bounds, its walls: a coefficient keeps its sign, between 0 and infinity, and a gradient stays between
// -t and t, where t is its threshold. While a parameter of the problem moves by delta, z moves to z + delta q
// and the walls of the gradients close in at given rates. The next knot is where the first coordinate meets a
// wall: a coefficient at zero leaves the active set, a gradient at its threshold enters it. Either is a pivot
// of the tableau (PivotTableau), which changes z and q by multiples of the column u = T[:,k].
class LassoWalk {
 public:
  struct Knot {
    double distance = 0.0;  // delta until then
    Index at = -1;          // -1: no wall is met
    double sign = 0.0;      // of a gradient that meets its threshold; 0: a coefficient meets zero
    bool enters() const { return sign != 0.0; }
  };
  // Why a coordinate may not enter.
  enum class Bar : char {
    none,
    depends,  // on the active columns, until one of them leaves
    waits,    // for its turn
  };

  Index size() const { return state_.size(); }
  const Vector& state() const { return state_; }
  const Vector& rates() const { return rate_; }
  bool is_active(Index k) const { return active_[static_cast<std::size_t>(k)] != 0; }
  std::span<const char> active() const { return active_; }
  std::vector<Index> active_coordinates() const;
  // The state and the rates on the active set, zero elsewhere.
  Vector coefficients() const { return on_active(state_); }
  Vector coefficient_rates() const { return on_active(rate_); }
  // The largest gradient of a coordinate that may not enter.
  double largest_barred() const;
  // Whether a gradient is within a share of its threshold without being barred.
  bool touches_threshold(double share) const;
  // The signs of the active coefficients; zero elsewhere.
  const Vector& signs() const { return signs_; }

  // Takes the state of another walk of the same size, with other rates.
  void stand_at(const LassoWalk& other, const VectorView& rates);
  // Adds inactive coordinates with these gradients and rates and one threshold.
  void join(const VectorView& gradients, const VectorView& rates, double threshold);
  void activate(Index k, double coefficient);
  void set_state(const VectorView& state) { state_ = state; }
  void set_rates(const VectorView& rates) { rate_ = rates; }
  void set_threshold(Index k, double threshold);
  void set_thresholds(double threshold);
  // Sets the rate at which thresholds fall: of all, or one per unit for a single coordinate and zero for
  // others.
  void close_all(double rate);
  void close_one(Index one);
  void set_bar(Index k, Bar bar);

  // Rate at which the gradients of active columns are held at their thresholds: the right side
  // of q = -T (rate sign)_A.
  Vector pull() const { return falling_.cwiseProduct(signs_); }

  Knot next() const;
  void advance(double distance);
  // Coordinate knot.at enters or leaves the active set; `u` is its column of the tableau.
  void pivot(const Knot& knot, const VectorView& u);

 private:
  Vector on_active(const Vector& values) const { return (signs_.array() != 0.0).select(values, 0.0); }
  Bar bar(Index k) const { return bars_[static_cast<std::size_t>(k)]; }
  void lift_bars(Bar kind);
  void set_walls(Index k);

  Vector state_, rate_;           // z and q
  Vector threshold_, falling_;    // t and the rates at which t falls
  Vector low_, high_, approach_;  // walls, and the rates at which they close in
  Vector signs_;
  bool at_rest_ = false;  // no threshold moves
  std::vector<char> active_;
  std::vector<Bar> bars_;
  mutable Vector reach_;  // of next(), kept for its storage
};

}  // namespace alo
