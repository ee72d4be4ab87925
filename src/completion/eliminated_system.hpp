// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"
#include "completion/factored_loss.hpp"

namespace alo {

// The second derivative of the factored objective (completion_hat.hpp) with L eliminated, which is the Schur
// complement
//
//     S = D_R - sum_a E_a'D_a^-1 E_a
//
// of order p2 m, and its inverse. S vanishes on the rotations R K with skew K. A multiple of the projector
// onto these is added, which does not change J S^-1 J' because J vanishes on them too. The elimination is
// fast where p2 <= p1.
class EliminatedSystem {
 public:
  EliminatedSystem(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda);

  // False where S is not positive definite.
  bool invert();
  // J_j'(...)^-1 J_j of each entry, the intercept included. After invert().
  Vector hat();

 private:
  // The columns in which row a has entries, with the sums of curvatures and slopes of the entries there.
  struct Row {
    std::vector<Index> column;
    std::vector<Index> entry_place;  // of each entry of the row in order
    Vector curvature;
    Vector slope;
    Index size() const { return static_cast<Index>(column.size()); }
  };
  // An entry of a column: its row, and the position of the column in that row's list.
  struct Meeting {
    Index row;
    Index place;
  };

  void gather_rows();
  void eliminate_rows();
  void subtract_rows();
  void fix_rotations();
  void multiply_inverse();
  Matrix cross_block(const Row& row, Index a, Index place) const;
  // The part of H_jj due to the intercept, by elimination of it: (1 - J_j'z)^2 / (s - c'z), with
  // z = (...)^-1 c, c = J'W 1 and s = sum W.
  Vector intercept_part() const;
  auto left(Index a) const { return factors_.col(a); }
  auto right(Index b) const { return factors_.col(loss_.entries().rows() + b); }
  Index kept() const { return loss_.entries().columns() * rank_; }

  const FactoredLoss& loss_;
  Index rank_;
  double lambda_;
  Vector sigma_;
  Matrix factors_;  // L and R side by side, without padding
  Vector curvature_;
  Vector slope_;
  std::vector<Row> rows_;
  std::vector<std::vector<Meeting>> meetings_;
  std::vector<Matrix> row_factor_;  // Cholesky factors of D_a
  std::vector<Matrix> panels_;      // m numbers per row of S that row a meets: first C^-1 E_a, then S^-1 E_a'
  Matrix system_;                   // S, then its inverse
};

}  // namespace alo
