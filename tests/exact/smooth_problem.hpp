// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>

#include "formula/hat.hpp"
#include "held_out.hpp"
#include "random_problem.hpp"

namespace alo::testing_support {

inline const std::vector<std::string>& separable_penalties() {
  static const std::vector<std::string> names = {"lasso", "elastic-net", "ridge"};
  return names;
}

// Only in a property: a problem with any smooth loss.
inline RandomProblem any_smooth_problem() {
  return *any_problem(separable_penalties(), smooth_losses());
}

// What errors are relative to: the size of the linear predictors, and of the one at hand, which a leverage
// near one makes large.
inline double size_of(const Problem& problem, const Fit& fit) {
  return 1.0 + leveled(problem, fit.linear_predictor).cwiseAbs().maxCoeff();
}
inline bool close(const Matrix& a, const Matrix& b, double size, double tolerance) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * (size + a.cwiseAbs().maxCoeff());
}

// True where the fit is the only one, and not by a hair: coefficients that are zero but whose slope is at the
// edge of its interval are let free as well, and what is left must have curvature in every direction,
// relative to the columns. Not so with columns that depend on each other, classes that unpenalised columns
// separate, or a flat loss.
inline bool is_determined(const Problem& problem, const Fit& fit) {
  const auto curvature = [&](double shift) {
    return problem.loss().curvature(fit.linear_predictor.array() + shift, problem.data().response);
  };
  if (max_difference(curvature(1e-6), curvature(-1e-6)) > 0.5) return false;  // on a bend of the loss
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const Vector derivative = problem.loss().derivative(fit.linear_predictor, problem.data().response);
  const Matrix gradient = problem.data().weights.asDiagonal() * by_output(derivative, problem.outputs());
  const Matrix slopes = problem.design().transpose_multiply_columns(gradient);
  Fit wider = fit;
  auto coefficients = by_output(wider.coefficients, problem.outputs());
  for (Index k = 0; k < problem.outputs(); ++k) {
    for (Index j = 0; j < problem.columns(); ++j) {
      const double bound = fit.lambda * terms.absolute[j];
      if (coefficients(j, k) == 0.0 && std::abs(slopes(j, k)) >= (1.0 - 1e-5) * bound) {
        coefficients(j, k) = 1e-100;
      }
    }
  }
  const LocalModel model = local_model(problem, wider);
  const Matrix& a = model.tangent_design;
  if (a.cols() == 0) return true;
  const Matrix root = root_times_design(model);
  Matrix system = root.transpose() * root;
  system.diagonal() += model.penalty_curvature;
  const Vector size =
      (problem.data().weights.maxCoeff() * a.colwise().squaredNorm().transpose() + model.penalty_curvature)
          .cwiseSqrt();
  const Matrix relative = size.cwiseInverse().asDiagonal() * system * size.cwiseInverse().asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Matrix>(relative).eigenvalues()[0] > 1e-6;
}

}  // namespace alo::testing_support
