// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// A knot of the active set: a difference of the spline that is not zero, or may become so.
struct ActiveKnot {
  Index difference;
  double sign = 0.0;
  double value = 0.0;   // of the difference
  double excess = 0.0;  // |u| - lambda when the knot was added; zero later
};
using ActiveKnots = std::vector<ActiveKnot>;

inline std::vector<Index> differences_of(const ActiveKnots& knots) {
  std::vector<Index> result;
  result.reserve(knots.size());
  for (const ActiveKnot& knot : knots) result.push_back(knot.difference);
  return result;
}

inline void drop_knots(ActiveKnots& knots, const std::vector<char>& drop) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (!drop[k]) knots[kept++] = knots[k];
  }
  knots.resize(kept);
}

}  // namespace alo
