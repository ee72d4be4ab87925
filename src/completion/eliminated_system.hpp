// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"
#include "completion/factored_loss.hpp"

namespace alo {

// The second derivative of the factored objective (completion_hat.hpp) with L eliminated,
//
//     S = D_R - sum_a E_a'D_a^-1 E_a,
//
// of p2 m rows, and its inverse. S vanishes on the rotations R K, K skew, of which a multiple of the
// projector is added: what is asked of the inverse does not change by it. Fast where p2 <= p1.
class EliminatedSystem {
 public:
  EliminatedSystem(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda);

  // False where S is not positive definite.
  bool invert();
  // J_j'(...)^-1 J_j of each entry, the intercept included. After invert().
  Vector hat();

 private:
  // The places of row a that have entries, and what is there in all.
  struct Row {
    std::vector<Index> column;
    std::vector<Index> entry_place;  // of each entry of the row in order
    Vector curvature;
    Vector slope;
    Index size() const { return static_cast<Index>(column.size()); }
  };
  // For a column the rows with entries in it, and its place there.
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
  // (1 - J_j'z)^2 / (s - c'z), z = (...)^-1 c: what the intercept adds, c = J'W 1 and s = sum W.
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
