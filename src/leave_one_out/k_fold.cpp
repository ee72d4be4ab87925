// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "leave_one_out/training_part.hpp"
#include "linalg/parallel.hpp"

namespace alo {

namespace {

// The rows of the training part are weighted up to the sum of all weights. Then lambda, and the part of the
// penalty that lambda does not scale, mean the same per unit of weight as for all rows.
Problem training_problem(const Problem& problem, const std::vector<int>& assignment, int fold) {
  Dataset data = problem.data();
  for (Index i = 0; i < data.rows(); ++i) {
    if (assignment[static_cast<std::size_t>(i)] == fold) data.weights[i] = 0.0;
  }
  if (!(data.weights.sum() > 0.0)) {
    throw InvalidData(fmt::format("without fold {} every weight is zero; use fewer folds", fold + 1));
  }
  data.design = refill(problem.data(), data.weights);
  data.weights *= problem.data().weights.sum() / data.weights.sum();
  data.weight_kind = WeightKind::importance;  // the weights are no longer integers
  Problem part{
      std::move(data), problem.loss(), problem.penalty(), {problem.intercept(), problem.standardize()}};
  if (!null_fit(part, part.data().weights).attained) {
    throw InvalidData(fmt::format(
        "without fold {} there is no best null fit (a class or every positive count is in that fold); use "
        "more folds or merge small classes",
        fold + 1));
  }
  return part;
}

// Each part has a grid of its own that starts at its own lambda_start, or the given lambdas.
Path fit_part(const Problem& part, std::vector<double> lambdas, const KFoldOptions& options,
              const Monitor& monitor) {
  PathSolver solver(part, options.fit);
  const double factor = options.generated_grid ? solver.start() / lambdas.front() : 1.0;
  for (double& lambda : lambdas) lambda *= factor;
  return solver.fit_path(lambdas, monitor);
}

}  // namespace

void check_folds(const Problem& problem, int folds) {
  if (folds < 2) {
    throw InvalidArgument(fmt::format("the number of folds must be at least 2, but is {}", folds));
  }
  if (folds > problem.rows()) {
    throw InvalidData(
        fmt::format("{} folds need at least as many rows, but there are {}", folds, problem.rows()));
  }
}

KFold k_fold(const Problem& problem, const std::vector<double>& lambdas, const KFoldOptions& options,
             const Monitor& monitor) {
  check_folds(problem, options.folds);
  const std::vector<int> assignment = assign_folds(problem, options.folds, options.seed);
  KFold result;
  result.values.assign(lambdas.size(), nothing_held_out(problem));
  int done = 0;
  parallel_for(static_cast<std::size_t>(options.folds), options.threads,
               [&](std::size_t k, std::mutex& mutex) {
                 const int fold = static_cast<int>(k);
                 const Problem part = training_problem(problem, assignment, fold);
                 // The monitor's functions may only be called one at a time.
                 const Monitor watch{{}, [&] {
                                       const std::scoped_lock lock(mutex);
                                       return monitor.stop();
                                     }};
                 const Path path = fit_part(part, lambdas, options, watch);
                 const std::scoped_lock lock(mutex);
                 result.complete = result.complete && path.complete;
                 for (std::size_t f = 0; f < path.fits.size(); ++f) {
                   if (path.fits[f].status != FitStatus::converged) ++result.missed;
                   for (Index i = 0; i < problem.rows(); ++i) {
                     if (assignment[static_cast<std::size_t>(i)] == fold) {
                       by_output(result.values[f].linear_predictor, problem.outputs()).row(i) =
                           by_output(path.fits[f].linear_predictor, problem.outputs()).row(i);
                     }
                   }
                 }
                 monitor.report("cross validation", ++done, options.folds);
               });
  return result;
}

}  // namespace alo
