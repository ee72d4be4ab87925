// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Rows pinned to their kinks as constraints on the coefficients z, whose penalty has the diagonal curvature
// Q, zero for unpenalised ones: the system
//
//     Q dz + X dg = r,   X'dz = m
//
// with a column of X for each pinned row. By X P = [U W] [R; 0] with falling pivots: dz = U y + W t,
//
//     R'y = m,   W'QW t = W'(r - Q U y),   R dg = U'(r - Q dz).
//
// Rows that depend on the others stay out of it.
class PinnedFace {
 public:
  PinnedFace(const Matrix& rows, Vector curvature);

  // The rows that take part, as columns of X, in the order of R.
  const std::vector<Index>& chosen() const { return chosen_; }
  // False where neither the pinned rows nor the penalty determine every direction.
  bool is_determined() const { return determined_; }

  struct Move {
    Vector coefficients;  // dz
    Vector gradient;      // dg of the rows chosen
  };
  // `meeting` is m of the rows chosen. None where the system has no solution.
  std::optional<Move> solve(const Vector& slope, const Vector& meeting) const;

  // Z with Z Z' = W (W'QW)^-1 W', with which a_i = |Z'x_i|^2 of a row that is not pinned. Determined only.
  Matrix free_directions() const;
  // a_i of the rows chosen, 1 over the diagonal of R^-1 U'(Q - Q Z Z'Q) U R^-T. NaN where a row alone holds
  // an unpenalised direction.
  Vector hat() const;

 private:
  double least_curvature() const;

  Vector curvature_;
  std::vector<Index> chosen_;
  Matrix range_;     // U
  Matrix rest_;      // W
  Matrix triangle_;  // R
  Matrix reduced_;   // W'QW, or its Cholesky factor where determined
  bool determined_ = true;
};

}  // namespace alo
