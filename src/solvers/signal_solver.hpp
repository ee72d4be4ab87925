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

// A signal, squared loss and an identity design without intercept, that is constant in blocks (the fused
// lasso of a chain or a graph) or linear in pieces (trend filtering of order two). Along a chain time and
// memory grow with the number of rows alone.
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
