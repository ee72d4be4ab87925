// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/ridge.hpp"

namespace alo {

// lambda |B|_F^2 / 2 of a matrix of coefficients, half the sum of its squared singular values: the ridge
// penalty, which is not aware of the shape.
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
