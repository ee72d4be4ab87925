// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// lambda sum_j f_j ( a |b_j| + (1 - a) b_j^2 / 2 ), 0 <= a <= 1 (Zou and Hastie 2005, in
// glmnet's parametrisation). Selects like the lasso and keeps correlated columns together.
class ElasticNet : public SeparablePenalty {
 public:
  explicit ElasticNet(double mix, Vector weights = {}) : SeparablePenalty(mix, std::move(weights)) {}

  // sum_j f_j ( lambda |b_j| + rho b_j^2 / 2 ), in Zou and Hastie's own parametrisation: lambda
  // moves the absolute values alone, so with squared loss the path is piecewise affine in it.
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
