// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/separable.hpp"

namespace alo {

// The ridge penalty (Hoerl and Kennard 1970),
//
//     P(b) = lambda sum_j f_j b_j^2 / 2.
//
// It is smooth, with curvature lambda f_j in direction j. With squared loss, approximate leave-one-out is
// exact.
class Ridge : public SeparablePenalty {
 public:
  explicit Ridge(Vector weights = {}) : SeparablePenalty(0.0, std::move(weights)) {}
  std::string name() const { return "ridge"; }
  std::string describe() const { return "lambda * ridge penalty"; }
};

static_assert(PenaltyModel<Ridge>);

}  // namespace alo
