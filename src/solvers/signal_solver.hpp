// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"
#include "alo/penalties/generalized_lasso.hpp"

namespace alo {

// True for a design that is the identity: each coefficient is the prediction of a row of its own.
bool is_identity(const Design& design);

// The fused lasso of a signal: squared loss, an identity design without intercept. Time and memory grow with
// the number of rows alone.
class SignalSolver {
 public:
  static bool suits(const Problem& problem);
  SignalSolver(const Problem& problem, const Vector& weights) : problem_(problem), weights_(weights) {}

  // H_ii comes for free.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) const;

 private:
  const Problem& problem_;
  Vector weights_;
};

}  // namespace alo
