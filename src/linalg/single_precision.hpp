// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo::blas {

using SingleMatrix = Eigen::MatrixXf;

// |L^-1 b|^2 for the rows b' of a matrix and lower triangular L. Errors are about 1e-7 of the squares, and
// 2e-6 where columns of L L' are so close to dependent that its condition number is 1e7. Not
// numbers where L is out of the range in which single precision has its digits.
class SingleRowSolver {
 public:
  explicit SingleRowSolver(const MatrixView& l);
  Vector squares(SingleMatrix rows) const;

 private:
  SingleMatrix lower_;  // with the inverses of its panels on the diagonal
};

}  // namespace alo::blas
