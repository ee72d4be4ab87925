// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/problem.hpp"

namespace alo {

// The dual form of a problem with a ridge penalty (kernel ridge). With g the gradient of the loss by the
// linear predictors, weights included, the fit at lambda has
//
//     eta = o + F c - K g / lambda,   F'g = 0,   b_j = -x_j'g / (lambda f_j),
//
// where K = sum_j x_j x_j' / f_j over the penalised columns, f_j are their penalty weights, and F has the
// unpenalised columns, a column of ones for the intercept first. Columns are centred and scaled as in the
// problem's design.

// The columns of a ridge problem by their penalty weights f_j, the factors of b_j^2 / 2 at lambda = 1.
struct RidgeColumns {
  std::vector<Index> penalized;
  std::vector<Index> free;  // unpenalised; constant and excluded columns are in neither
  Vector factors;           // f_j of the penalised ones
};
RidgeColumns ridge_columns(const Problem& problem);

// Gives some rows x_ij / sqrt(f_j) of the penalised columns at a time; with R the matrix of all of them,
// K = R R'. A sparse design is stored by rows for it.
class ScaledRows {
 public:
  explicit ScaledRows(const Problem& problem);

  const RidgeColumns& columns() const { return columns_; }
  // The chosen rows, each as a column of the result.
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
