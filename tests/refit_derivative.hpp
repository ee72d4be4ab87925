// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"

namespace alo::testing_support {

// (eta_i(w_i - e) - eta_i) / e = H_ii w_i l'_i up to terms in e, H_ii from eta~_i - eta_i = H g / (1 - H c).
inline void expect_derivative(const Problem& problem, double lambda, Index row) {
  const double e = 1e-6;
  Dataset data = problem.data();
  data.weights[row] -= e;
  const Problem lighter(std::move(data), problem.loss(), problem.penalty(), {problem.intercept(), false});
  const Fit fit = fit_path(problem, {lambda}).fits.at(0);
  const Fit refit = fit_path(lighter, {lambda}).fits.at(0);
  const double change = (refit.linear_predictor[row] - fit.linear_predictor[row]) / e;
  const LocalModel model = local_model(problem, fit);
  const Vector held_out = approximate_leave_one_out(problem, fit, Framework::primal).linear_predictor;
  const double move = held_out[row] - fit.linear_predictor[row];
  const double hat = move / (model.derivative(row, 0) + move * model.curvature(row, 0));
  EXPECT_NEAR(change, hat * model.derivative(row, 0), 1e-4 * (1.0 + std::abs(change)));
}

}  // namespace alo::testing_support
