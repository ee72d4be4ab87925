// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "signals/spline_search.hpp"

namespace alo {

// A way from a spline, in the B-splines on some nodes.
struct SplineWay {
  SplineWay(const DiscreteSplines& splines, const VectorView& weights)
      : parts(splines.difference_parts()), system(splines, weights) {}

  Matrix parts;         // DiscreteSplines::difference_parts
  SplineSystem system;  // G
  Vector slope;         // by how much the objective falls along each B-spline
  Vector step;          // G^-1 slope
};

// Moves the nodes' values along a way while
//
//   sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_k |value_k|
//
// falls, at most the whole way: by an exact line search, for each region by itself. Regions are parted where
// the step is at most the share `small` of the largest for as many B-splines in a row as have a difference in
// common; these do not move. A node whose difference changes its sign on the way gets the other sign, one at
// which the way ends is marked in `ended`. `taken` is the step that was taken. True if all went the whole way
// without changing signs.
bool move_by_regions(SplineNodes& nodes, const SplineWay& way, double lambda, double small, Vector& taken,
                     std::vector<char>& ended);

}  // namespace alo
