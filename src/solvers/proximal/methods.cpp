// SPDX-License-Identifier: MIT
#include "solvers/proximal/methods.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/flops.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/proximal/completion_path.hpp"
#include "solvers/proximal/matrix_solver.hpp"
#include "solvers/proximal/pattern_solver.hpp"

namespace alo {

namespace {

bool is_smooth_and_not_separable(const Problem& problem) {
  return problem.outputs() == 1 && !problem.loss().has_kinks() &&
         !problem.penalty().separable(problem.columns());
}

}  // namespace

double ProximalMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  // Proximal steps on all coefficients, and Newton's along the pattern. The loss has to be weighted anew for
  // each of the latter, unless it is quadratic.
  const double reweighted = problem.loss().is_quadratic() ? 1.0 : 1.6;
  const auto of_fit = [&](const Sizes& sizes) {
    return reweighted * (20.0 * call_flops + 80'000.0 * sizes.columns + 300.0 * sizes.entries);
  };
  return sum_over_path(problem, nonzero, of_fit, [](const Sizes&) { return 0.0; });
}

// A refit searches longer the nearer the fit is to interpolation, which the degrees of freedom say:
// coefficients are nonzero by whole groups, and several of one size move as one. Clusters that come apart or
// merge are found one after another, so that their search is the longer one. On matrices it does not depend
// on the fit.
double ProximalMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  if (problem.penalty().shape()) return 1.5 * Method::exact_flops(problem, fit, rows);
  constexpr double nearest = 0.97;
  const auto [n, p, entries, active] = sizes_of(problem, fit.nonzero);
  const double left = 1.0 - std::min(fit.degrees_of_freedom / n, nearest);
  const double reweighted = problem.loss().is_quadratic() ? 1.0 : 2.2;
  const double pattern = fit.degrees_of_freedom * (n + p);
  const double search = problem.penalty().has_clusters()
                            ? (22.0 * call_flops + 640.0 * pattern) / std::pow(left, 1.7)
                            : (22.0 * call_flops + 45'000.0 * p + 160.0 * pattern) / std::pow(left, 0.8);
  return static_cast<double>(rows) * reweighted * search;
}

bool CompletionMethod::suits(const Problem& problem, const Vector&) const {
  return problem.penalty().sums_singular_values() && is_smooth_and_not_separable(problem) &&
         !problem.standardize() && observes_entries(problem.design());
}

std::unique_ptr<Solver> CompletionMethod::solver(const Problem& problem, const Vector& weights,
                                                 const FitOptions& options, Use) const {
  return std::make_unique<CompletionPath>(problem, weights, options);
}

bool MatrixMethod::suits(const Problem& problem, const Vector&) const {
  return problem.penalty().shape() && is_smooth_and_not_separable(problem);
}

std::unique_ptr<Solver> MatrixMethod::solver(const Problem& problem, const Vector& weights,
                                             const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<MatrixSolver>>(problem, weights, options);
}

bool PatternMethod::suits(const Problem& problem, const Vector&) const {
  return is_smooth_and_not_separable(problem);
}

std::unique_ptr<Solver> PatternMethod::solver(const Problem& problem, const Vector& weights,
                                              const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<PatternSolver>>(problem, weights, options);
}

}  // namespace alo
