// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// R(b) = sum_j f_j b_j^2 / 2. Smooth, curvature f_j in every direction. With squared loss
// approximate leave-one-out is exact.
class Ridge : public SeparablePenalty {
 public:
  explicit Ridge(Vector weights = {}) : SeparablePenalty(0.0, std::move(weights)) {}
  std::string name() const { return "ridge"; }
};

static_assert(PenaltyModel<Ridge>);

}  // namespace alo
