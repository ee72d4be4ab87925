// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"
#include "completion/entry_list.hpp"

namespace alo {

// A = (I - UU') G (I - VV') with G a sparse matrix: the part of a gradient off the row and column spaces of a
// fit. U and V have orthonormal columns, perhaps none.
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
  // All singular values above this are wanted, roughly. If there are none only the largest is wanted, and
  // roughly if it is well below.
  double threshold = 0.0;
  // The residual allowed for the largest value, relative to the threshold, or to the value where the
  // threshold is zero.
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

// Lanczos bidiagonalisation (Golub and Kahan 1965) from a start vector, with full reorthogonalisation.
LeadingValues leading_values(const ResidualMatrix& matrix, Vector start, const SpectrumGoal& goal);

}  // namespace alo
