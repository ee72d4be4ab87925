// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// The Cholesky factor of a positive semidefinite matrix, to whose diagonal a growing multiple of the identity
// is added where it is singular (Levenberg's damping).
struct DampedFactor {
  enum class Outcome {
    regular,     // L L' is the matrix
    damped,      // L L' is the matrix and a multiple of the identity
    not_finite,  // no multiple helps, since the matrix has entries that are infinite or not numbers: L is
                 // empty
  };
  Matrix lower;  // L
  Outcome outcome = Outcome::not_finite;
  // The smallest share of a squared pivot in its diagonal entry: the digits that are lost.
  double least_share = 1.0;
};

// `unit` is the size of typical second derivatives, which the first multiple is relative to.
DampedFactor damped_factor(const Matrix& matrix, double unit);

}  // namespace alo
