// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <rapidcheck.h>

#include "formula/hat.hpp"
#include "random_problem.hpp"
#include "solvers/certified_solver.hpp"

namespace alo::testing_support {

// By a solver that does not walk, from the full fit.
inline Fit refit_without(const Problem& problem, const Fit& fit, Index row) {
  CertifiedSolver solver(problem, weights_without(problem, row), {}, Use::refit);
  solver.start_from(fit);
  return solver.fit(fit.lambda);
}

// In a property: all rows walked by RowHomotopy or KinkHomotopy, every one of which has a prediction or is
// said to be unsure, and is counted as done.
template <typename Homotopy>
typename Homotopy::Result walk_all_rows(const Problem& problem, const Fit& fit) {
  Homotopy homotopy(problem, {});
  Index done = 0;
  typename Homotopy::Result result = homotopy.run(fit, all_rows(problem), [&](Index rows) {
    done += rows;
    return true;
  });
  RC_ASSERT(done == problem.rows());
  Index walked = 0;
  for (const double prediction : result.linear_predictor) walked += std::isnan(prediction) ? 0 : 1;
  RC_ASSERT(walked + static_cast<Index>(result.unsure.size()) == problem.rows());
  RC_TAG(result.unsure.empty());
  return result;
}

}  // namespace alo::testing_support
