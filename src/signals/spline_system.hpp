// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "signals/discrete_splines.hpp"

namespace alo {

// The normal equations of weighted least squares with discrete splines: G = sum_i w_i f_i f_i' and the right
// side sum_i w_i y_i f_i, with the values f_i of the functions at row i. G is banded; its lower triangle is
// stored in columns of `order` numbers.
class SplineSystem {
 public:
  // `sums` has one column for each piece: k x (k + 1) numbers, of which the first k columns are the piece's
  // part of G and the last is its part of the right side.
  SplineSystem(int order, const Matrix& sums);

  // False if the weights do not determine the spline, up to rounding.
  bool is_definite() const { return definite_; }
  const Vector& right() const { return right_; }
  // G^-1 v, and G v.
  Vector solve(const VectorView& v) const;
  Vector multiply(const VectorView& v) const;
  // f_i' G^-1 f_i of all rows.
  Vector hat_values(const DiscreteSplines& splines) const;

 private:
  Matrix inverse_band() const;

  int order_;
  Vector right_;
  Matrix band_;
  Matrix factor_;  // G = L D L': D in the first row, L below its diagonal of ones in the others
  bool definite_ = true;
};

// Makes such systems for knots that change little from call to call: the sums over the rows of a piece are
// kept while the functions on it stay the same.
class PieceSums {
 public:
  SplineSystem system(const DiscreteSplines& splines, const VectorView& weights, const VectorView& signal);
  // To be called when weights or signal have changed.
  void forget() { splines_.reset(); }

 private:
  std::optional<DiscreteSplines> splines_;  // of the last call
  Matrix sums_;
};

}  // namespace alo
