// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/problem.hpp"

namespace alo {

// The rows of a problem with a ridge penalty as its dual sees them: with g the gradient of the loss, weights
// included, the fit at lambda has
//
//     eta = o + F c - K g / lambda,   F'g = 0,   b_j = -x_j'g / (lambda f_j),
//
// K = sum_j x_j x_j' / f_j over the penalised columns, f_j their penalty weights, and F the unpenalised
// columns, ones for the intercept first; columns through the problem's view.

// What each coefficient's square is multiplied by at lambda = 1. A ridge, so no absolute values.
struct RidgeColumns {
  std::vector<Index> penalized;
  std::vector<Index> free;  // unpenalised; constant and excluded columns are in neither
  Vector factors;           // f_j of the penalised ones
};
RidgeColumns ridge_columns(const Problem& problem);

// Rows of the penalised columns, x_ij / sqrt(f_j), some at a time: K = R R' with these as its rows. A sparse
// design is stored by rows for it.
class ScaledRows {
 public:
  explicit ScaledRows(const Problem& problem);

  const RidgeColumns& columns() const { return columns_; }
  // One column of numbers for each of the rows.
  Matrix gather(std::span<const Index> rows) const;

 private:
  const Design& design_;
  RidgeColumns columns_;
  Vector center_, scale_;    // of the penalised columns, through the view and the penalty
  SparseMatrix transposed_;  // the penalised columns of a sparse design
};

// sum_j x_j x_j' / f_j, a panel of columns at a time.
Matrix weighted_kernel(const Design& design, const std::vector<Index>& columns, const Vector& factors);

}  // namespace alo
