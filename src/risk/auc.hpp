// SPDX-License-Identifier: MIT
#pragma once

#include "alo/risk.hpp"

namespace alo {

// Share of pairs (a row of +1, a row of -1) in which the score of the first is larger, a tie counting
// half and a pair the product of its weights; no mean without rows of both classes. The standard
// error is that of DeLong, DeLong and Clarke-Pearson (1988): with V_i the share of rows of the other class
// that row i is on the right side of, the squared standard errors of the mean of V in both classes, added.
// With `counts` a weight is a number of copies. Scores that differ by no more than `tolerance` are tied.
Estimate area_under_curve(const Vector& scores, const Vector& response, const Vector& weights, bool counts,
                          double tolerance = 0.0);

// Held-out predictors moved back by the change of the intercept that leaving out the row itself
// made, to first order w l'(u) / (sum of w l'') at the held-out u, l'(u) there being l' at the fit over 1 -
// h. With it the intercepts of all held-out fits are one. The moves are known up to their squares.
struct Recentred {
  Vector scores;
  double tolerance;
};
Recentred recentre(const Loss& loss, const Vector& predictor, const Vector& response, const Vector& weights,
                   const Vector& removed_share);

}  // namespace alo
