// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// The lasso (Tibshirani 1996),
//
//     P(b) = lambda sum_j f_j |b_j|.
//
// Coefficients outside the active set {j : b_j != 0} are exactly zero. On it the penalty is linear, so its
// curvature is zero. It is the default penalty, because few nonzero coefficients make a readable model.
// With correlated columns consider the elastic net.
class Lasso : public SeparablePenalty {
 public:
  explicit Lasso(Vector weights = {}) : SeparablePenalty(1.0, std::move(weights)) {}
  std::string name() const { return "lasso"; }
  std::string describe() const { return "lambda * lasso penalty"; }
};

static_assert(PenaltyModel<Lasso>);

}  // namespace alo
