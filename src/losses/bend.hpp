// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// The function max(lower r, upper r) with lower <= 0 <= upper: piecewise linear with one kink, at r = 0.
// Its conjugate is zero on [lower, upper] and infinite elsewhere.
struct Bend {
  double lower;
  double upper;

  double value(double r) const { return r * slope(r); }
  // The subgradient nearest to zero.
  double slope(double r) const { return r > 0.0 ? upper : (r < 0.0 ? lower : 0.0); }
  // value(r) - g r, that is, |r| times the distance of g to the slope there. g may leave [lower, upper] by
  // rounding error.
  double gap(double r, double g) const;
};

}  // namespace alo
