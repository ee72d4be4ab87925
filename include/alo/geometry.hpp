// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/design.hpp"
#include "alo/types.hpp"

namespace alo {

// What the penalty P looks like near a fit: the directions in which the coefficients can move (a basis B,
// p x d, of the tangent space of the manifold on which P is smooth) and the curvature of P along them, the
// matrix Q of the leave-one-out formula (docs/method.md). The basis is chosen so that Q is diagonal, and kept
// by its structure,
//
//     B = S C (I - M M'),
//
// S the coordinates that move, C combinations of them (blocks that move as one), M mirrors: columns v of
// length sqrt(2) without common rows, each a reflection I - v v' that turns a set of directions.
struct Geometry {
  std::vector<Index> coordinates;  // ascending
  SparseMatrix combinations;       // |coordinates| x d; without entries: each coordinate is a direction
  SparseMatrix mirrors;            // d x any; may be empty
  Vector curvature;                // d: diagonal of Q, lambda included

  Index dimension() const { return curvature.size(); }
};

// X B, and the same from the columns of the coordinates alone
Matrix tangent_design(const Design& design, const Geometry& geometry);
Matrix tangent_columns(Matrix columns, const Geometry& geometry);
// B t, of p coefficients
Vector along(const Geometry& geometry, const VectorView& directions, Index columns);
// B'v
Vector onto(const Geometry& geometry, const VectorView& coefficients);

}  // namespace alo
