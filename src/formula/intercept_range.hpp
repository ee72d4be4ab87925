// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"

namespace alo {

// How far the intercept of a fit may move down (at most 0) and up (at least 0) while the fit remains optimal
// with its coefficients as they are; infinite where nothing bounds it. Both are zero where the intercept is
// unique, as for every loss with curvature. For a loss with kinks it is so where a row is pinned: a
// subgradient g proves b optimal if and only if every g_i is a subgradient at eta_i, whichever optimal g is
// taken, so the optimal intercepts are those with which all rows stay on their pieces.
struct InterceptRange {
  double down = 0.0;
  double up = 0.0;

  bool is_unique() const { return down == 0.0 && up == 0.0; }
  // The move to the intercept that stands for all: the midpoint, or the end of a half-line.
  double middle() const;
};
InterceptRange intercept_range(const Problem& problem, const Vector& weights, const Fit& fit);

}  // namespace alo
