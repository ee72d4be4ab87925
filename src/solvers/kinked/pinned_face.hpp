// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The rows pinned to their kinks as constraints on the coefficients z, whose penalty has the diagonal
// curvature Q, zero for unpenalised coefficients: the system
//
//     Q dz + X dg = r,   X'dz = m
//
// has a column of X for each pinned row. It is solved by the null space method: with X P = [U W] [R; 0] and
// falling pivots, dz = U y + W t,
//
//     R'y = m,   W'QW t = W'(r - Q U y),   R dg = U'(r - Q dz).
//
// Rows that depend on the others are left out.
class PinnedFace {
 public:
  PinnedFace(const Matrix& rows, Vector curvature);

  // The rows that are not left out, as columns of X, in the order of R.
  const std::vector<Index>& chosen() const { return chosen_; }
  // False where neither the pinned rows nor the penalty determine every direction.
  bool is_determined() const { return determined_; }

  struct Move {
    Vector coefficients;  // dz
    Vector gradient;      // dg, zero for rows that are left out
  };
  // The solution for r and m; none where there is none.
  std::optional<Move> solve(const Vector& slope, const Vector& missing) const;

  // Z with Z Z' = W (W'QW)^-1 W', with which a_i = |Z'x_i|^2 of a row that is not pinned. Determined only.
  Matrix free_directions() const;
  // a_i of the pinned rows, 1 over the diagonal of R^-1 U'(Q - Q Z Z'Q) U R^-T. NaN where a row is left out,
  // or alone determines an unpenalised direction.
  Vector hat() const;

 private:
  double least_curvature() const;

  Vector curvature_;
  Index rows_;
  std::vector<Index> chosen_;
  Matrix range_;     // U
  Matrix rest_;      // W
  Matrix triangle_;  // R
  Matrix reduced_;   // W'QW, or its Cholesky factor where determined
  bool determined_ = true;
};

}  // namespace alo
