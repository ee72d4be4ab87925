// SPDX-License-Identifier: MIT
#pragma once

#include "alo/risk.hpp"

namespace alo {

// Share of pairs (a row of +1, a row of -1) in which the score of the first is larger, a tie counting
// half and a pair the product of its weights; no mean without rows of both classes. The standard
// error is that of DeLong, DeLong and Clarke-Pearson (1988): with V_i the share of rows of the other class
// that row i is on the right side of, the squared standard errors of the mean of V in both classes, added.
// With `counts` a weight is a number of copies.
Estimate area_under_curve(const Vector& scores, const Vector& response, const Vector& weights, bool counts);

}  // namespace alo
