// SPDX-License-Identifier: MIT
#include "solvers/proximal/methods.hpp"

#include "solvers/lambda_by_lambda.hpp"
#include "solvers/proximal/completion_path.hpp"
#include "solvers/proximal/matrix_solver.hpp"
#include "solvers/proximal/pattern_solver.hpp"
#include "solvers/quadratic/methods.hpp"
#include "solvers/smooth/methods.hpp"

namespace alo {

namespace {

bool is_smooth_and_not_separable(const Problem& problem) {
  return problem.outputs() == 1 && !problem.loss().has_kinks() &&
         !problem.penalty().separable(problem.columns());
}

}  // namespace

// A rough count, by the path of a separable penalty with as many active coefficients.
double ProximalMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return problem.loss().is_quadratic() ? knot_path_flops(problem, nonzero)
                                       : newton_path_flops(problem, nonzero);
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
