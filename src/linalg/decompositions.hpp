// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "alo/types.hpp"

namespace alo::dense {

// Decompositions of small dense matrices by Eigen, which handles a rank that is not full. They are compiled
// here once: Eigen's templates take a compiler ten seconds in every source that uses them. Large matrices go
// to LAPACK (blas.hpp).

// P A Z = Q [R 0; 0 0], the complete orthogonal decomposition (Golub and Van Loan, section 5.4.7). Pivots of
// R below `threshold` times the largest one count as zero; by default the number of columns times the
// machine's precision.
class CompleteOrthogonal {
 public:
  CompleteOrthogonal() = default;
  explicit CompleteOrthogonal(const MatrixView& a);
  CompleteOrthogonal(const MatrixView& a, double threshold);

  Index rank() const;
  // The x of smallest norm among those that minimise |A x - b|.
  Matrix solve(const MatrixView& b) const;
  Matrix pseudo_inverse() const;
  // An orthonormal basis of what is orthogonal to the columns of A.
  Matrix complement() const;

 private:
  struct Factor;
  std::shared_ptr<const Factor> factor_;
};

// The x of smallest norm among those that minimise |A x - b|.
Matrix least_squares(const MatrixView& a, const MatrixView& b);

// A X = B for a square matrix: any (LU with partial pivoting), symmetric (LDL'), positive definite (LL').
Matrix solve(const MatrixView& a, const MatrixView& b);
Matrix solve_symmetric(const MatrixView& a, const MatrixView& b);
Matrix solve_positive_definite(const MatrixView& a, const MatrixView& b);

// `count` columns from number `first` of Q in A = Q R, Q square.
Matrix orthogonal_columns(const MatrixView& a, Index first, Index count);

// A = Q R for a matrix of no more columns than rows: the same number of columns of Q, and R.
struct ThinFactors {
  Matrix q;
  Matrix r;
};
ThinFactors thin_factors(const MatrixView& a);

// A P = Q R with column pivoting, for a matrix with entries: Q square, and the leading rows and columns of R.
// The rank is the number of pivots of at least `threshold` times the largest one. Column k of A P is column
// order[k] of A.
struct PivotedFactors {
  Index rank = 0;
  Matrix q;
  Matrix triangle;  // rank x rank, zero below its diagonal
  std::vector<Index> order;
};
PivotedFactors pivoted_factors(const MatrixView& a, double threshold);

// The eigenvalues of a symmetric matrix, in ascending order, and its eigenvectors.
struct Eigenpairs {
  Vector values;
  Matrix vectors;
};
Eigenpairs eigenpairs(const MatrixView& a);
Vector eigenvalues(const MatrixView& a);

}  // namespace alo::dense
