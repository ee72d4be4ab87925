// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <variant>

#include "alo/fit.hpp"
#include "solvers/active_set.hpp"
#include "solvers/spectral_ridge.hpp"

namespace alo {

// Fits a problem with its own weights or others, by the solver that suits its penalty, and
// certifies every fit.
class QuadraticSolver {
 public:
  QuadraticSolver(const Problem& problem, const Vector& weights, FitOptions options);

  // Begins at the pattern of a fit of the same problem, where the solver can.
  void start_from(const Fit& fit);
  // Original scale, linear predictor left empty.
  Fit fit(double lambda);

 private:
  const Problem& problem_;
  FitOptions options_;
  Certifier certifier_;
  std::variant<ActiveSetSolver, SpectralRidge> solver_;
};

// True when the penalty has no absolute values: one decomposition serves every lambda.
bool is_ridge(const Problem& problem);

}  // namespace alo
