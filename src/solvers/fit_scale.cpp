// SPDX-License-Identifier: MIT
#include "solvers/fit_scale.hpp"

namespace alo {

StartingPoint starting_point(const Problem& problem, const Fit& fit) {
  const auto original = by_output(fit.coefficients, problem.outputs());
  StartingPoint start{problem.scale().asDiagonal() * original, fit.intercept};
  if (problem.intercept()) start.intercept += original.transpose() * problem.design().center();
  return start;
}

Fit make_fit(const Problem& problem, double lambda, const Vector& coefficients, const Vector& intercept) {
  Fit fit;
  fit.lambda = lambda;
  const Matrix scaled =
      problem.scale().cwiseInverse().asDiagonal() * by_output(coefficients, problem.outputs());
  fit.coefficients = scaled.reshaped();
  fit.intercept = Vector::Zero(problem.outputs());
  if (problem.intercept()) fit.intercept = intercept - scaled.transpose() * problem.design().center();
  // The intercepts of several outputs are determined up to a common number; those that sum to zero are taken.
  if (problem.outputs() > 1) fit.intercept.array() -= fit.intercept.mean();
  return fit;
}

}  // namespace alo
