// SPDX-License-Identifier: MIT
#pragma once

#include "alo/geometry.hpp"

namespace alo::testing_support {

// The directions of a geometry written out, one in each column.
inline Matrix tangent_basis(const Geometry& geometry, Index coefficients) {
  Matrix basis(coefficients, geometry.dimension());
  for (Index k = 0; k < geometry.dimension(); ++k) {
    basis.col(k) = along(geometry, Vector::Unit(geometry.dimension(), k), coefficients);
  }
  return basis;
}

}  // namespace alo::testing_support
