// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "alo/types.hpp"

namespace alo {

// The Cholesky factor L of a symmetric positive definite M = L L', updated as an active set grows and shrinks
// (Golub and Van Loan, section 6.5): a new row takes one triangular solve, a deletion a sweep of Givens
// rotations.
class CholeskyFactor {
 public:
  Index size() const { return size_; }

  // M becomes [[M, c], [c', d]]. Nothing changes, and the result is false, when the new pivot is at most
  // `tolerance` times d: the new column depends on the others.
  bool append(const VectorView& cross, double diagonal, double tolerance);
  // The same with several columns at once; all or none of them.
  bool append(const MatrixView& cross, const MatrixView& own, double tolerance);
  // Deletes all but the first rows and columns of M.
  void truncate(Index size) { size_ = std::min(size_, size); }
  // Deletes row and column k of M.
  void remove(Index k);
  // Starts anew from M, of which the lower triangle is read; false when it is not positive definite.
  bool factor(const MatrixView& m);

  // M^-1 b and L^-1 B.
  Vector solve(const VectorView& b) const;
  Matrix solve_lower(Matrix b) const;
  // L^-T B, and the rows B L^-T.
  Matrix solve_lower_transposed(Matrix b) const;
  Matrix solve_rows(Matrix b) const;
  MatrixView lower() const { return storage_.topLeftCorner(size_, size_); }
  Vector pivots() const;
  // M^-1, both triangles.
  Matrix inverse() const;

 private:
  void reserve(Index capacity);

  Matrix storage_;  // L in the leading size_ x size_ block
  Index size_ = 0;
};

}  // namespace alo
