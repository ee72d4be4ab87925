// SPDX-License-Identifier: MIT
#include "solvers/certified_solver.hpp"

#include "formula/intercept_range.hpp"

namespace alo {

namespace {

// Whether the certificate of a fit meets the tolerance; the answer is also set as the fit's status.
bool judge(Fit& fit, double tolerance) {
  const bool met = meets(fit.certificate, tolerance);
  fit.status = met ? FitStatus::converged : FitStatus::not_converged;
  return met;
}

double missed_by(const Fit& fit) {
  return fit.certificate.gap.value_or(fit.certificate.kkt);
}

}  // namespace

CertifiedSolver::CertifiedSolver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use)
    : problem_(&problem),
      weights_(weights),
      method_(&route(problem, weights)),
      options_(options),
      certifier_(problem, weights),
      solver_(method_->solver(problem, weights, options, use)) {}

std::vector<Fit> CertifiedSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits = solver_->solve(lambdas, monitor);
  for (Fit& fit : fits) finish(fit);
  return fits;
}

void CertifiedSolver::finish(Fit& fit) const {
  if (fit.method.empty()) fit.method = method_->name();
  if (!problem_->loss().has_kinks()) return;
  fit.intercept.array() += intercept_range(*problem_, weights_, fit).middle();
}

void CertifiedSolver::certify(std::span<Fit> fits) {
  certifier_.certify(fits);
  for (Fit& fit : fits) {
    if (!judge(fit, options_.tolerance)) improve(fit);
  }
}

// The loop ends because every method ends its list of attempts by an empty retry().
void CertifiedSolver::improve(Fit& fit) {
  for (int attempt = 2; !is_certified(fit.status); ++attempt) {
    std::optional<Fit> another = solver_->retry(fit, attempt);
    if (!another) return;
    another->attempt = attempt;
    finish(*another);
    certifier_.certify(std::span(&*another, 1));
    judge(*another, options_.tolerance);
    if (missed_by(*another) < missed_by(fit)) fit = std::move(*another);
  }
}

Fit CertifiedSolver::fit(double lambda) {
  std::vector<Fit> fits = solve(std::span(&lambda, 1));
  certify(fits);
  return std::move(fits.front());
}

}  // namespace alo
