// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "losses/row_kinks.hpp"

namespace alo {

// A walk along a piecewise affine path of fits of a loss with kinks and a ridge penalty, from knot to knot,
// as in the path of the support vector machine (Hastie, Rosset, Tibshirani and Zhu 2004); the parameter here
// is not lambda but the subgradient of a row that is being left out.
//
// With g the subgradient, weights included, eta the linear predictor, G = K / lambda, and F c the part that
// is not penalised, a fit is
//
//     -(eta - o) = G g - F c,   F'g = 0,   g_j in w_j dl(eta_j).
//
// A row is either free, on a piece of its loss, where g_j is the slope and eta_j moves between two kinks, or
// pinned to a kink, where g_j moves between two slopes. So the state z holds eta_j of the free rows, g_j of
// the pinned rows V, and c. The first two have bounds, their walls; c has none. With T the tableau
// (PivotTableau) of
//
//     [ 0  -F' ]
//     [ -F  G  ]     pivoted at c and V,
//
// z moves by -T[:,i] for a unit of g_i of a free row i, and by T[:,k] for a unit of eta_k of a pinned row.
// A row that meets a wall changes from free to pinned or back, which is a pivot. Pinned rows that depend on
// the others are held: neither g nor eta of such a row moves until one of the others becomes free.
class KinkWalk {
 public:
  enum class Side : char {
    none,   // no walls: a free coefficient, a row without weight, the row that is held out
    piece,  // number at(k) from the left
    kink,   // likewise; g_k is the state
    held,   // at kink number at(k), g_k at rest
  };
  struct Knot {
    double distance = 0.0;
    Index at = -1;    // -1: no wall is met
    bool up = false;  // its upper wall
  };

  KinkWalk() = default;
  // All coordinates without walls; `kinks` has a column for each.
  KinkWalk(std::shared_ptr<const RowKinks> kinks, Index size);
  void place(Index k, Side side, int at, double subgradient, double predictor);

  Index size() const { return state_.size(); }
  Side side(Index k) const { return sides_[static_cast<std::size_t>(k)]; }
  int at(Index k) const { return at_[static_cast<std::size_t>(k)]; }
  bool is_pinned(Index k) const { return side(k) == Side::kink; }
  const Vector& state() const { return state_; }
  double subgradient(Index k) const { return is_pinned(k) ? state_[k] : other_[k]; }
  double predictor(Index k) const { return is_pinned(k) ? other_[k] : state_[k]; }

  // g of all rows, zero for c.
  Vector subgradients() const;

  // The first wall met when z moves at these rates.
  Knot next(const VectorView& rates) const;
  void advance(const VectorView& rates, double distance);
  // Coordinate knot.at changes sides.
  void pass(const Knot& knot);
  // Takes the walls from a row that depends on the pinned ones: up to rounding it cannot move until one of
  // them becomes free.
  void bar(Index k);
  void lift_bars();
  // The largest excess of a row over its walls, barred or not: of g_k for pinned rows, of eta_k for others.
  struct Excess {
    double subgradient = 0.0;
    double predictor = 0.0;
  };
  Excess largest_excess() const;
  // A pinned row with g_k as near as this to a slope of its kink.
  bool is_at_wall(Index k, double slack) const;
  // The largest slope of all rows, weights included.
  double largest_slope() const { return largest_slope_; }
  // Whether g_k is nearer to the upper one.
  bool is_at_upper_wall(Index k) const { return high_[k] - state_[k] < state_[k] - low_[k]; }

 private:
  struct Walls {
    double low, high;
  };
  Walls walls(Index k) const;
  void set_walls(Index k);

  std::shared_ptr<const RowKinks> kinks_;
  Vector state_;
  Vector other_;  // what does not move: g_k of the free, eta_k of the pinned
  Vector low_, high_;
  double largest_slope_;
  std::vector<Side> sides_;
  std::vector<int> at_;
  std::vector<Index> barred_;
  mutable Vector reach_;  // of next(), kept for its storage
};

}  // namespace alo
