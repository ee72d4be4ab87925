// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// The elastic net (Zou and Hastie 2005), in the parametrisation of glmnet:
//
//     P(b) = lambda sum_j f_j ( a |b_j| + (1 - a) b_j^2 / 2 ),  0 <= a <= 1.
//
// It selects as the lasso does, and gives correlated columns similar coefficients.
class ElasticNet : public SeparablePenalty {
 public:
  explicit ElasticNet(double mix, Vector weights = {}) : SeparablePenalty(mix, std::move(weights)) {}

  // The parametrisation of Zou and Hastie, P(b) = sum_j f_j ( lambda |b_j| + rho b_j^2 / 2 ). lambda scales
  // the absolute values alone, so that with squared loss the path is piecewise affine in lambda.
  static ElasticNet with_fixed_ridge(double rho, Vector weights = {}) {
    return {1.0, std::move(weights), rho};
  }

  std::string name() const { return "elastic-net"; }
  std::string describe() const;

 private:
  ElasticNet(double mix, Vector weights, double rho) : SeparablePenalty(mix, std::move(weights), rho) {}
};

static_assert(PenaltyModel<ElasticNet>);

}  // namespace alo
