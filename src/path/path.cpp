// SPDX-License-Identifier: MIT
#include "alo/path.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "certificate/null_fit.hpp"
#include "linalg/decompositions.hpp"
#include "path/grid.hpp"
#include "solvers/certified_solver.hpp"

namespace alo {

namespace {

// Rank tolerance, relative to the largest pivot, of the unpenalised directions with the intercept. Dependent
// directions leave pivots of about 1e-15. Ten times the value would refuse directions that still determine
// eight digits of the intercept.
constexpr double dependence_tolerance = 1e-10;
// Classes count as separated when less than this share of the null deviance is left at lambda = 0. Newton's
// method stops at a gap of 1e-10 of the null deviance, so that the share of separated data falls below 1e-8
// before it stops, while overlapping classes leave at least about 1/n. At ten times the value data of ten
// million rows could be misjudged.
constexpr double unexplained_by_separation = 1e-8;

void check_lambda(const Problem& problem, double lambda) {
  if (!(lambda >= 0.0) || !std::isfinite(lambda)) {
    throw InvalidArgument(fmt::format("lambda must be a finite number, zero or more, but is {}", lambda));
  }
  if (lambda > 0.0) return;
  if (problem.loss().has_kinks()) {
    throw InvalidData(fmt::format(
        "lambda = 0: without a penalty the {} loss has no unique fit in general; use a small positive lambda",
        problem.loss().name()));
  }
  const auto terms = problem.penalty().separable(problem.columns());
  const Index free = terms ? (terms->fixed_square.array() == 0.0).count() : problem.columns();
  const Index parameters = free + (problem.intercept() ? 1 : 0);
  if (parameters > problem.rows()) {
    throw InvalidData(fmt::format(
        "lambda = 0 with {} coefficients and {} rows has no unique fit; use a positive lambda, more rows or "
        "fewer columns",
        parameters, problem.rows()));
  }
}

// Without a penalty the coefficients of separated classes diverge.
void check_separation(const Problem& problem, const Fit& fit) {
  if (fit.lambda > 0.0 || problem.loss().response_kind() == ResponseKind::number) return;
  if (fit.status == FitStatus::converged && fit.unexplained > unexplained_by_separation) return;
  throw InvalidData(
      "lambda = 0: the columns separate the classes, so that no finite coefficients are best; use a positive "
      "lambda");
}

// Throws where the unpenalised directions are more than the rows, or include the intercept.
void check_free_directions(const Problem& problem) {
  if (problem.penalty().separable(problem.columns())) return;
  const Matrix free = unpenalized_columns(problem, null_lambda);
  if (free.cols() > problem.rows()) {
    throw InvalidData(
        fmt::format("the {} penalty leaves {} directions free, intercept included, which {} rows cannot tell "
                    "apart: no fit "
                    "is unique at any lambda; penalise more of them, or use more rows",
                    problem.penalty().name(), free.cols(), problem.rows()));
  }
  if (!problem.intercept()) return;
  if (dense::CompleteOrthogonal(free, dependence_tolerance).rank() == free.cols()) return;
  throw InvalidData(fmt::format(
      "the {} penalty leaves a direction free in which the predictions move as with an intercept, so that "
      "the two cannot be told apart; leave the intercept out",
      problem.penalty().name()));
}

void check_null_fit(const Problem& problem) {
  if (null_fit(problem, problem.data().weights).attained) return;
  throw InvalidData(
      "what is not penalised (intercept, offset, columns with penalty weight 0) fits the response without "
      "end: "
      "it separates the classes, or every count is zero; penalise those columns or leave them out");
}

}  // namespace

struct PathSolver::Implementation {
  const Problem& problem;
  CertifiedSolver solver;
};

PathSolver::PathSolver(const Problem& problem, FitOptions options) {
  route(problem);  // throws where there is no method, before anything is computed
  check_free_directions(problem);
  check_null_fit(problem);
  implementation_ = std::make_unique<Implementation>(
      Implementation{problem, CertifiedSolver(problem, problem.data().weights, options, Use::path)});
}
PathSolver::~PathSolver() = default;
PathSolver::PathSolver(PathSolver&&) noexcept = default;
PathSolver& PathSolver::operator=(PathSolver&&) noexcept = default;

std::size_t PathSolver::fits_at_once(const Problem& problem) {
  return route(problem).fits_at_once(problem);
}

std::vector<Fit> PathSolver::fit(std::span<const double> lambdas, const Monitor& monitor) {
  for (const double lambda : lambdas) check_lambda(implementation_->problem, lambda);
  std::vector<Fit> fits = implementation_->solver.solve(lambdas, monitor);
  implementation_->solver.certify(fits);
  for (const Fit& fit : fits) check_separation(implementation_->problem, fit);
  return fits;
}

Fit PathSolver::fit(double lambda) {
  return std::move(fit(std::span(&lambda, 1)).front());
}

Path fit_path(const Problem& problem, const std::vector<double>& lambdas, const FitOptions& options,
              const Monitor& monitor) {
  route(problem);
  for (const double lambda : lambdas) check_lambda(problem, lambda);
  return PathSolver(problem, options).fit_path(lambdas, monitor);
}

Path PathSolver::fit_path(const std::vector<double>& lambdas, const Monitor& monitor) {
  std::vector<double> falling = lambdas;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  Path path;
  while (path.complete && path.fits.size() < falling.size()) {
    const std::span rest = std::span<const double>(falling).subspan(path.fits.size());
    const std::span next = rest.first(std::min(rest.size(), fits_at_once(implementation_->problem)));
    std::vector<Fit> fits = fit(next, monitor);
    path.complete = fits.size() == next.size();
    std::move(fits.begin(), fits.end(), std::back_inserter(path.fits));
    monitor.report("fit", static_cast<double>(path.fits.size()), static_cast<double>(falling.size()));
  }
  return path;
}

double PathSolver::start() {
  return find_start(implementation_->problem,
                    [this]() -> CertifiedSolver& { return implementation_->solver; });
}

std::vector<double> PathSolver::grid(const GridOptions& options) {
  return make_grid(implementation_->problem, options,
                   [this]() -> CertifiedSolver& { return implementation_->solver; });
}

namespace {

// A solver that is made when it is asked for.
class LateSolver {
 public:
  explicit LateSolver(const Problem& problem) : problem_(problem) {}

  SolverAtHand at_hand() {
    return [this]() -> CertifiedSolver& {
      if (!solver_) solver_.emplace(problem_, problem_.data().weights, FitOptions{}, Use::path);
      return *solver_;
    };
  }

 private:
  const Problem& problem_;
  std::optional<CertifiedSolver> solver_;
};

}  // namespace

double lambda_start(const Problem& problem) {
  route(problem);
  return find_start(problem, LateSolver(problem).at_hand());
}

std::vector<double> lambda_grid(const Problem& problem, const GridOptions& options) {
  route(problem);
  return make_grid(problem, options, LateSolver(problem).at_hand());
}

}  // namespace alo
