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

// A refit searches longer the nearer the fit is to interpolation. The coefficients of a matrix of low rank
// are all nonzero, so that their number does not say how near that is.
double ProximalMethod::exact_flops(const Problem& problem, Index nonzero, Index rows) const {
  const Sizes sizes = sizes_of(problem, nonzero);
  const double share = std::min(sizes.active / sizes.rows, 1.0);
  const double search = problem.penalty().shape() ? 1.4 : 1.0 + 2.0 * std::pow(share, 4);
  return 1.1 * search * Method::exact_flops(problem, nonzero, rows);
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
