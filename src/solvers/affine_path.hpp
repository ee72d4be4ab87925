// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/types.hpp"

namespace alo {

// A piece of a path between two knots. For lambda from upper down to lower the residuals y - eta are
// residual + (lambda - upper) slope, and the leverages h_i = c_i H_ii are constant.
struct AffinePiece {
  double upper = 0.0;
  double lower = 0.0;
  Vector residual;
  Vector slope;
  Vector leverages;
};

// The path of a problem whose solution is piecewise affine in lambda, for risks between the lambdas of a
// grid.
class AffinePath {
 public:
  using PieceVisitor = std::function<void(const AffinePiece&)>;

  virtual ~AffinePath() = default;
  // Shows every piece of the path from its beginning down to lambda, in order. The first one is the point at
  // which the path begins.
  virtual void visit_pieces(double lambda, const PieceVisitor& visitor) = 0;
};

}  // namespace alo
