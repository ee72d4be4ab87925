// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"

namespace alo {

// How far the linear predictor of a row without weight may move down (at most 0) and up (at least 0) while
// the fit of the other rows remains optimal. All optimal fits of a smooth loss have the same linear
// predictors in the rows that count, and the same slopes (R. J. Tibshirani 2013, "The lasso problem and
// uniqueness"): with absolute values their coefficients differ along directions in which the columns at their
// threshold, E, change no such predictor, as far as signs stay what the slopes say. The ends are two linear
// programs in these directions. Both are zero where the fit is unique, for other models, and where nothing
// bounds a direction.
struct HeldOutRange {
  double down = 0.0;
  double up = 0.0;

  bool is_unique() const { return down == 0.0 && up == 0.0; }
};
HeldOutRange held_out_range(const Problem& problem, const Vector& weights, const Fit& fit, Index row);

}  // namespace alo
