// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/own_pivots.hpp"
#include "linalg/special_values.hpp"
#include "solvers/kinked/homotopy/kink_walk.hpp"

namespace alo {

// A row to be held out of a fit of a loss with kinks.
struct HeldOutRow {
  Index at = -1;             // its coordinate of the walk; -1: none
  double subgradient = 0.0;  // g_i
  double predictor = 0.0;    // eta_i
  double kept = 0.0;         // the share of its weight that remains in the fit
  VectorView position;       // its kinks, and the slopes times its weight (RowKinks)
  VectorView slope;
  bool on_kink = false;   // else on a piece
  int number = 0;         // of either
  // Every row of the problem is a coordinate of the walk, and the intercept is all that is not penalised.
  bool sees_intercept = false;
};

struct HeldOutRowWalked {
  enum class End : char {
    arrived,
    met_wall,  // the first piece of the path is not all of it, and no more was asked for
    failed,    // the fit without the row is not unique, or too near to that for the accuracy of the tableau
  };
  End end = End::arrived;
  double predictor = 0.0;    // eta_i of the fit without the row
  double subgradient = 0.0;  // g_i of the remaining share
  Index knots = 0;
  // The ends of the interval of optimal eta_i, whose middle is `predictor`; NaN where there is one value.
  double low = undefined;
  double high = undefined;
};

// Exact leave-one-out of a row by homotopy, known as decremental learning for support vector machines
// (Cauwenberghs and Poggio 2001, Advances in Neural Information Processing Systems 13). |g_i| shrinks until
// g_i is a subgradient of the remaining share of the row's loss (zero if nothing remains), and the fit
// follows (KinkWalk). The kinks of the row itself matter only for its remaining share. A pinned row is first
// set free.
//
// The walk starts at the full fit, and `pivots` is an empty list on its tableau T. For a row that is not
// pinned `direction` is T[:,i] and `gain` is T_ii. `scale` has the diagonal of G at the coordinates. With
// `first_piece` the walk ends at the first wall, so that it arrives if and only if the extrapolated first
// piece of the path is the fit without the row.
HeldOutRowWalked hold_out(const HeldOutRow& row, const VectorView& direction, double gain,
                          const VectorView& scale, KinkWalk& walk, OwnPivots& pivots, bool first_piece);

}  // namespace alo
