// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "alo/leave_one_out.hpp"
#include "leave_one_out/parallel.hpp"
#include "solvers/quadratic_solver.hpp"

namespace alo {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

LeaveOneOut nothing_yet(Index rows) {
  return {Vector::Constant(rows, undefined), Vector(),
          std::vector<RowFlag>(static_cast<std::size_t>(rows), RowFlag::none)};
}

// Refits without one row at every lambda and returns its held-out linear predictors.
std::vector<double> refit_without(const Problem& problem, const Fit& start, std::span<const double> lambdas,
                                  Index row, const FitOptions& options, Index& missed) {
  Vector weights = problem.data().weights;
  weights[row] *= 1.0 - problem.removed_share()[row];
  std::vector<double> predictions(lambdas.size(), undefined);
  if (weights.sum() == 0.0) return predictions;  // no data left to fit
  QuadraticSolver solver(problem, weights, options, QuadraticSolver::Use::refit);
  solver.start_from(start);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Fit fit = solver.fit(lambdas[k]);
    if (fit.status != FitStatus::converged) ++missed;
    predictions[k] = fit.linear_predictor[row];
  }
  return predictions;
}

}  // namespace

ExactLeaveOneOut exact_leave_one_out(const Problem& problem, const Fit& start,
                                     std::span<const double> lambdas, const std::vector<Index>& rows,
                                     const ExactOptions& options, const Monitor& monitor) {
  ExactLeaveOneOut result;
  result.values.assign(lambdas.size(), nothing_yet(problem.rows()));
  Index done = 0;
  parallel_for(rows.size(), options.threads, [&](std::size_t k, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      result.complete = result.complete && !monitor.stop();
      if (!result.complete) return;
    }
    const Index row = rows[k];
    Index missed = 0;
    const std::vector<double> predictions = refit_without(problem, start, lambdas, row, options.fit, missed);
    const std::scoped_lock lock(mutex);
    for (std::size_t f = 0; f < lambdas.size(); ++f) {
      result.values[f].linear_predictor[row] = predictions[f];
      if (std::isnan(predictions[f])) {
        result.values[f].flags[static_cast<std::size_t>(row)] = RowFlag::singular;
      }
    }
    result.missed += missed;
    monitor.report("exact leave-one-out", static_cast<double>(++done), static_cast<double>(rows.size()));
  });
  return result;
}

}  // namespace alo
