// SPDX-License-Identifier: MIT
#include "solvers/starting_point.hpp"

namespace alo {

StartingPoint starting_point(const Problem& problem, const Fit& fit) {
  const auto original = by_output(fit.coefficients, problem.outputs());
  StartingPoint start{problem.scale().asDiagonal() * original, fit.intercept};
  if (problem.intercept()) start.intercept += original.transpose() * problem.design().center();
  return start;
}

}  // namespace alo
