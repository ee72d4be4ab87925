// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// What the penalty P looks like near a fit: the directions in which the
// coefficients can move (a basis of the tangent space of the manifold on which P
// is smooth) and the curvature of P along them. The basis is a set of coordinates;
// the curvature is diagonal. It is the matrix Q of the leave-one-out formula
// (docs/method.md).
struct Geometry {
  std::vector<Index> coordinates;  // ascending
  Vector curvature;                // diagonal of the Hessian of P on them, lambda included

  Index dimension() const { return static_cast<Index>(coordinates.size()); }
};

}  // namespace alo
