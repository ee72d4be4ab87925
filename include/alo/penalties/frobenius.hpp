// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/ridge.hpp"

namespace alo {

// The squared Frobenius norm of a matrix of coefficients,
//
//     P(B) = lambda |B|_F^2 / 2,
//
// half the sum of the squared singular values. It equals the ridge penalty on the entries, whatever the
// shape.
class Frobenius : public Ridge {
 public:
  explicit Frobenius(MatrixShape shape) : shape_(shape) {}
  std::string name() const { return "frobenius"; }
  std::string describe() const { return "lambda * half the squared Frobenius norm of the coefficients"; }
  void check_columns(Index columns) const;

 private:
  MatrixShape shape_;
};

static_assert(PenaltyModel<Frobenius>);

}  // namespace alo
