// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/design.hpp"
#include "alo/types.hpp"

namespace alo {

// Coefficients that are a matrix, kept row by row.
struct MatrixShape {
  Index rows = 0;
  Index columns = 0;
};

// Directions u_k v_l' of a matrix of coefficients, p1 x p2 and kept row by row: those with k or l among the
// first `rank`. They are ordered by k, then by l.
struct MatrixDirections {
  Matrix left;   // p1 x p1: u_k
  Matrix right;  // p2 x p2: v_l
  Index rank = 0;

  Index count() const { return rank * (left.cols() + right.cols() - rank); }
  // The place of direction (k, l), from 0.
  Index place(Index k, Index l) const {
    return k < rank ? k * right.cols() + l : rank * right.cols() + (k - rank) * rank + l;
  }
};

// What the penalty P looks like near a fit: the directions in which the coefficients can move (a basis B,
// p x d, of the tangent space of the manifold on which P is smooth) and the curvature of P along them, the
// matrix Q of the leave-one-out formula (docs/method.md). The basis is chosen so that Q is diagonal, and kept
// by its structure,
//
//     B = S C (I - M M'),
//
// S the coordinates that move, C combinations of them (blocks that move as one), M mirrors: columns v of
// length sqrt(2) without common rows, each a reflection I - v v' that turns a set of directions. Where the
// coefficients are a matrix, products of its singular vectors stand in the place of S C.
struct Geometry {
  std::vector<Index> coordinates;  // ascending
  SparseMatrix combinations;       // |coordinates| x d; without entries: each coordinate is a direction
  SparseMatrix mirrors;            // d x any; may be empty
  Vector curvature;                // d: diagonal of Q, lambda included
  std::optional<MatrixDirections> matrix;

  Index dimension() const { return curvature.size(); }
};

// X B, and the same from the columns of the coordinates alone (of a matrix: all)
Matrix tangent_design(const Design& design, const Geometry& geometry);
Matrix tangent_columns(const Matrix& columns, const Geometry& geometry);
Matrix tangent_columns(Matrix&& columns, const Geometry& geometry);
// B t, of p coefficients
Vector along(const Geometry& geometry, const VectorView& directions, Index columns);
// B'v
Vector onto(const Geometry& geometry, const VectorView& coefficients);

}  // namespace alo
