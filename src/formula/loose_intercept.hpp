// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/leave_one_out.hpp"

namespace alo {

// The leave-one-out formula of a loss with kinks for rows without which no pinned row determines the
// intercept c, or whatever column F stands alone without a penalty. (With balanced classes, or an even number
// of rows and an absolute loss, that is so for all rows at a large lambda.)
//
// The fit without row i is followed while g_i falls to zero. At first F'g = 0 can be kept by no pinned row:
// c moves alone, the way in which the loss of row i rises, and at every kink that a row k meets F_k g_k takes
// up what that kink has room for, until it has taken up r_i F_i g_i. This determines the changes of all g,
// which are few, and the row m that is pinned at last. The coefficients follow, to first order: with B the
// design divided by the roots of the penalty's curvature, K = B B', and tau the move of c until row m meets
// its kink,
//
//     change of c = tau + (K dg)_m / F_m,   change of eta_i = F_i (change of c) - (K dg)_i.
//
// With one row j of F_j = F_i that is eta~_i = eta_i + tau + r_i g_i |B_i - B_j|^2. Where the kink of m takes
// up the rest to the last bit (as with all weights equal) c is again not determined: every value until the
// next row meets a kink is optimal, and the prediction is the midpoint of those with either row at its kink.
class LooseIntercept {
 public:
  explicit LooseIntercept(const LocalModel& model);

  // Whether without the row no pinned row has F_k != 0.
  bool concerns(Index row) const;
  // eta~_i - eta_i of a row that is concerned. NaN where nothing holds c without it.
  double move(Index row) const;

 private:
  // A kink that a row meets when c has moved so far.
  struct Stop {
    double distance;
    Index row;
    double room;  // for |F_k g_k|
  };
  using Stops = std::vector<Stop>;

  void add_stops(Index row);
  Index gone(Index row) const;
  Stops::const_iterator next(Stops::const_iterator stop, const Stops& stops, Index without) const;
  double move_at(Index row, const Stop& stop, double way, const Vector& coefficients) const;
  double middle_move(Index row) const;

  const LocalModel& model_;
  bool applies_ = false;
  std::vector<Index> holding_;  // pinned rows with F_k != 0, at most two of them
  std::vector<Index> penalized_;
  Vector root_;            // of their curvature
  Vector free_;            // F
  double rounding_ = 0.0;  // of F'g
  Stops up_;               // by rising distance
  Stops down_;
};

}  // namespace alo
