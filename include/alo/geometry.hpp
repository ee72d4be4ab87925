// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/design.hpp"
#include "alo/types.hpp"

namespace alo {

// The shape of a matrix of coefficients, which is stored row by row.
struct MatrixShape {
  Index rows = 0;
  Index columns = 0;
};

// The tangent space of the p1 x p2 matrices of a given rank: the directions u_k v_l' with k or l among the
// first `rank`, where u and v are singular vectors. They are ordered by k, then by l.
struct MatrixDirections {
  Matrix left;   // p1 x p1: u_k
  Matrix right;  // p2 x p2: v_l
  Index rank = 0;

  Index count() const { return rank * (left.cols() + right.cols() - rank); }
  // The position of direction (k, l) in this order, from 0.
  Index place(Index k, Index l) const {
    return k < rank ? k * right.cols() + l : rank * right.cols() + (k - rank) * rank + l;
  }
};

// The penalty P near a fit: a basis B (p x d) of the tangent space of the manifold on which P is smooth,
// and the Hessian Q of P along it, the curvature of the manifold included. These are the active set, the null
// space of D_{-E,.} and the tangent space of low-rank matrices in the paper's sections on the lasso, the
// generalised lasso and the nuclear norm (docs/method.md has the table). The basis is chosen so that Q is
// diagonal, and is stored by its structure,
//
//     B = S C (I - M M').
//
// S selects the coordinates that move, C combines them (blocks that move as one), and M holds the mirrors:
// columns v of length sqrt(2) with disjoint supports, each a Householder reflection I - v v' that makes Q
// diagonal on its support. Where the coefficients are a matrix, products of its singular vectors take the
// place of S C.
struct Geometry {
  std::vector<Index> coordinates;  // ascending
  SparseMatrix combinations;       // C, |coordinates| x d; without entries it stands for the identity
  SparseMatrix mirrors;            // M, with d rows; may be empty
  Vector curvature;                // d, the diagonal of Q, with the factor lambda
  std::optional<MatrixDirections> matrix;

  Index dimension() const { return curvature.size(); }
};

// The tangent design X B: from the design, or from the columns that belong to `coordinates` alone (from all
// columns for a matrix of coefficients).
Matrix tangent_design(const Design& design, const Geometry& geometry);
Matrix tangent_columns(const Matrix& columns, const Geometry& geometry);
Matrix tangent_columns(Matrix&& columns, const Geometry& geometry);
// B t, as p coefficients, for t of length d.
Vector along(const Geometry& geometry, const VectorView& directions, Index columns);
// B'v for v of length p.
Vector onto(const Geometry& geometry, const VectorView& coefficients);

}  // namespace alo
