// SPDX-License-Identifier: MIT
// A loss that breaks its contract: that of the squares, with a second derivative that it was given.
#pragma once

#include "alo/losses/squared.hpp"

namespace alo::testing_support {

class FixedCurvature : public SquaredLoss {
 public:
  explicit FixedCurvature(double curvature) : curvature_(curvature) {}
  Vector curvature(const VectorView& u, const VectorView&) const {
    return Vector::Constant(u.size(), curvature_);
  }
  bool is_quadratic() const { return false; }

 private:
  double curvature_;
};

}  // namespace alo::testing_support
