// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// max(lower r, upper r) with lower <= 0 <= upper: linear with one kink, at r = 0. Its conjugate is zero on
// [lower, upper] and infinite elsewhere.
struct Bend {
  double lower;
  double upper;

  double value(double r) const { return r * slope(r); }
  // The subgradient nearest to zero.
  double slope(double r) const { return r > 0.0 ? upper : (r < 0.0 ? lower : 0.0); }
  // value(r) - g r, which is |r| times what g misses of the slope there; g may leave [lower, upper] by
  // rounding.
  double gap(double r, double g) const;
};

}  // namespace alo
