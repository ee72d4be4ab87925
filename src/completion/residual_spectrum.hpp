// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"
#include "completion/entry_list.hpp"

namespace alo {

// A = (I - UU') G (I - VV'), G the sparse matrix of numbers at some entries: what a gradient has off the row
// and column spaces of a fit. U and V have orthonormal columns, perhaps none.
class ResidualMatrix {
 public:
  ResidualMatrix(const EntryList& entries, const Vector& numbers, const Matrix& u, const Matrix& v)
      : entries_(entries), numbers_(numbers), u_(u), v_(v) {}

  Index rows() const { return entries_.rows(); }
  Index columns() const { return entries_.columns(); }
  Index smaller_side() const { return std::min(rows() - u_.cols(), columns() - v_.cols()); }
  Vector multiply(const Vector& x) const;
  Vector transpose_multiply(const Vector& x) const;
  Vector off_right(Vector x) const;  // (I - VV') x

 private:
  const EntryList& entries_;
  const Vector& numbers_;
  const Matrix& u_;
  const Matrix& v_;
};

struct SpectrumGoal {
  // Where singular values are above this, all of them are wanted, roughly. Else only the largest is, and a
  // rough one is enough if it is well below.
  double threshold = 0.0;
  // For the largest value, over the threshold, or over itself without one (zero).
  double accuracy = 1e-7;
};

// Singular values, falling, with their vectors: those above the threshold, or the largest. values[k] is
// left_k'A right_k, however rough.
struct LeadingValues {
  Vector values;
  Matrix left;
  Matrix right;
  double error = 0.0;  // |A'left - value right| of the first
};

// By Lanczos bidiagonalisation from a start vector, all vectors kept orthogonal.
LeadingValues leading_values(const ResidualMatrix& matrix, Vector start, const SpectrumGoal& goal);

}  // namespace alo
