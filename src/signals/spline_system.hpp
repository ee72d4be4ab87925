// SPDX-License-Identifier: MIT
#pragma once

#include "signals/discrete_splines.hpp"

namespace alo {

// The weighted least squares of discrete splines, G = sum_i w_i f_i f_i' for the functions f_i at row i: a
// banded matrix, of which the diagonal and what is below it are stored in columns of `order` numbers.
class SplineSystem {
 public:
  SplineSystem(const DiscreteSplines& splines, const VectorView& weights);

  // False where the weights leave the splines open.
  bool is_definite() const { return definite_; }
  // G^-1 right, and G v.
  Vector solve(Vector right) const;
  Vector multiply(const VectorView& v) const;
  // f_i' G^-1 f_i of all rows.
  Vector hat_values(const DiscreteSplines& splines) const;

 private:
  void factorise();
  Matrix inverse_band() const;

  Matrix band_;
  Matrix factor_;  // G = L D L': D in the first row, L below its diagonal of ones in the others
  bool definite_ = true;
};

}  // namespace alo
