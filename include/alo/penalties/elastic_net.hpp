// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// R(b) = sum_j f_j ( a |b_j| + (1 - a) b_j^2 / 2 ), 0 <= a <= 1 (Zou and Hastie 2005, in
// glmnet's parametrisation). Selects like the lasso and keeps correlated columns together.
class ElasticNet : public SeparablePenalty {
 public:
  explicit ElasticNet(double mix, Vector weights = {}) : SeparablePenalty(mix, std::move(weights)) {}
  std::string name() const { return "elastic-net"; }
};

static_assert(PenaltyModel<ElasticNet>);

}  // namespace alo
