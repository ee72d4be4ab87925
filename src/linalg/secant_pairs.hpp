// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>

#include "alo/types.hpp"

namespace alo {

// The last steps s with the changes y of the gradient along them, by which the inverse of an older Hessian is
// updated: the limited-memory BFGS recursion in two loops of Nocedal (1980), with a given inverse in place of
// a multiple of the identity.
class SecantPairs {
 public:
  void clear() { pairs_.clear(); }
  // Pairs without positive curvature, s'y <= 0 up to rounding, are left out.
  void add(Vector step, Vector change);
  // The updated inverse times `right`; `solve` multiplies by the given inverse.
  Vector solve(Vector right, const std::function<Vector(const Vector&)>& solve) const;

 private:
  // A pair costs two products of vectors per solve. Nocedal and Wright (section 7.2) recommend 3 to 20 pairs.
  static constexpr std::size_t most = 6;
  struct Pair {
    Vector step;
    Vector change;
    double product;  // s'y > 0
  };
  std::deque<Pair> pairs_;
};

}  // namespace alo
