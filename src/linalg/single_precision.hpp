// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo::blas {

using SingleMatrix = Eigen::MatrixXf;

// |L^-1 b|^2 for the rows b' of a matrix and a lower triangular L, in single precision. Relative errors are
// about 1e-7, and 2e-6 where the condition number of L L' is 1e7. The results are NaN where the diagonal of L
// is out of the range that single precision covers.
class SingleRowSolver {
 public:
  explicit SingleRowSolver(const MatrixView& l);
  Vector squares(SingleMatrix rows) const;

 private:
  SingleMatrix lower_;  // with the inverses of its panels on the diagonal
};

}  // namespace alo::blas
