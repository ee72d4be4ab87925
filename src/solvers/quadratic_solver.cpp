// SPDX-License-Identifier: MIT
#include "solvers/quadratic_solver.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo {

namespace {

using Solver = std::variant<ActiveSetSolver, SpectralRidge>;

Solver choose_solver(const Problem& problem, const Vector& weights) {
  if (is_ridge(problem)) return Solver(std::in_place_type<SpectralRidge>, problem, weights);
  return Solver(std::in_place_type<ActiveSetSolver>, problem, weights);
}

}  // namespace

bool is_ridge(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  return terms && (terms->absolute.array() == 0.0).all();
}

QuadraticSolver::QuadraticSolver(const Problem& problem, const Vector& weights, FitOptions options)
    : problem_(problem),
      options_(options),
      certifier_(problem, weights),
      solver_(choose_solver(problem, weights)) {}

void QuadraticSolver::start_from(const Fit& fit) {
  if (auto* solver = std::get_if<ActiveSetSolver>(&solver_)) {
    solver->start_from(problem_.scale().cwiseProduct(fit.coefficients));
  }
}

Fit QuadraticSolver::fit(double lambda) {
  Fit fit;
  fit.lambda = lambda;
  std::visit(
      [&](auto& solver) {
        solver.solve(lambda);
        fit.coefficients = solver.coefficients().cwiseQuotient(problem_.scale());
        fit.intercept = problem_.intercept()
                            ? solver.intercept() - problem_.design().center().dot(fit.coefficients)
                            : 0.0;
      },
      solver_);
  fit.certificate = certifier_.certify(fit.intercept, fit.coefficients, lambda);
  fit.status = meets(fit.certificate, options_.tolerance) ? FitStatus::converged : FitStatus::not_converged;
  return fit;
}

}  // namespace alo
