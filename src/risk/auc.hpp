// SPDX-License-Identifier: MIT
#pragma once

#include "alo/risk.hpp"

namespace alo {

// The area under the ROC curve: the share of the pairs of a row of +1 and a row of -1 in which the former
// has the larger score. A tie counts half, and a pair has the product of its weights. There is no mean
// without rows of both classes. The standard error is that of DeLong, DeLong and Clarke-Pearson (1988):
// with V_i the share of rows of the other class that row i is ranked correctly against, it is the root of
// the sum of the squared standard errors of the mean of V in the two classes. With `counts` a weight is a
// number of copies. Scores that differ by at most `tolerance` are tied.
Estimate area_under_curve(const Vector& scores, const Vector& response, const Vector& weights, bool counts,
                          double tolerance = 0.0);

// Held-out predictors without the change of the intercept that leaving out the row caused. To first order
// the change is w l'(u) / sum of w l'' at the held-out u, where l'(u) is l' at the fit over 1 - h. All
// held-out fits then share one intercept. `tolerance` is the square of these changes, up to which they are
// known.
struct Recentred {
  Vector scores;
  double tolerance;
};
Recentred recentre(const Loss& loss, const Vector& predictor, const Vector& response, const Vector& weights,
                   const Vector& removed_share);

}  // namespace alo
