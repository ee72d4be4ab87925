// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The rows pinned to their kinks, as equality constraints on the coefficients z, whose penalty has the
// diagonal curvature Q, zero for unpenalised coefficients. The system is
//
//     Q dz + X dg = r,   X'dz = m,
//
// where X has a column for each pinned row. It is solved by the null-space method (Nocedal and Wright,
// section 16.2): with X P = [U W] [R; 0] by a QR factorisation with column pivoting, dz = U y + W t and
//
//     R'y = m,   W'QW t = W'(r - Q U y),   R dg = U'(r - Q dz).
//
// Rows that depend on the others are left out.
class PinnedFace {
 public:
  PinnedFace(const Matrix& rows, Vector curvature);

  // The independent rows, as column numbers of X, in the order of R.
  const std::vector<Index>& chosen() const { return chosen_; }
  // Whether the pinned rows and the penalty together determine every direction.
  bool is_determined() const { return determined_; }

  struct Move {
    Vector coefficients;  // dz
    Vector gradient;      // dg, zero for rows that are left out
  };
  // The solution for r and m; none if the system has no solution.
  std::optional<Move> solve(const Vector& slope, const Vector& missing) const;

  // Z with Z Z' = W (W'QW)^-1 W', from which a_i = |Z'x_i|^2 for a row that is not pinned. Requires
  // is_determined().
  Matrix free_directions() const;
  // a_i of the pinned rows, the reciprocals of the diagonal of R^-1 U'(Q - Q Z Z'Q) U R^-T. NaN for a row
  // that is left out, or alone determines an unpenalised direction.
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
