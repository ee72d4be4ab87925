// SPDX-License-Identifier: MIT
#pragma once

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
struct RowKernel {
  Matrix kernel;  // n x n
  Matrix free;    // F
};
RowKernel row_kernel(const Problem& problem);

// What each coefficient's square is multiplied by at lambda = 1. A ridge, so no absolute values.
struct RidgeColumns {
  std::vector<Index> penalized;
  std::vector<Index> free;  // unpenalised; constant and excluded columns are in neither
  Vector factors;           // f_j of the penalised ones
};
RidgeColumns ridge_columns(const Problem& problem);

// sum_j x_j x_j' / f_j, a panel of columns at a time.
Matrix weighted_kernel(const Design& design, const std::vector<Index>& columns, const Vector& factors);

}  // namespace alo
