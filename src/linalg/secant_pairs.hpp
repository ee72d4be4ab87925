// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>

#include "alo/types.hpp"

namespace alo {

// The last steps s and changes y of the gradient: what they say of the curvature corrects a given inverse,
// by the limited-memory recursion of Nocedal (1980).
class SecantPairs {
 public:
  void clear() { pairs_.clear(); }
  // Pairs without positive curvature are left out.
  void add(Vector step, Vector change);
  // The corrected inverse times `right`, `solve` being the given one.
  Vector solve(Vector right, const std::function<Vector(const Vector&)>& solve) const;

 private:
  static constexpr std::size_t most = 6;
  struct Pair {
    Vector step;
    Vector change;
    double product;  // s'y > 0
  };
  std::deque<Pair> pairs_;
};

}  // namespace alo
