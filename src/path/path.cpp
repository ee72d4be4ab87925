// SPDX-License-Identifier: MIT
#include "alo/path.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "certificate/null_fit.hpp"
#include "linalg/decompositions.hpp"
#include "solvers/certified_solver.hpp"

namespace alo {

namespace {

// A ridge path starts where the fit explains this share of the null deviance, since no finite lambda makes
// a ridge fit zero. At ten times the value the path would start at fits that explain one percent, and weak
// signals would be chosen at its end; at a tenth a decade of the grid would be spent on null fits.
constexpr double ridge_start_share = 1e-3;
// Rank tolerance, relative to the largest pivot, of the unpenalised directions with the intercept. Dependent
// directions leave pivots of about 1e-15. Ten times the value would refuse directions that still determine
// eight digits of the intercept.
constexpr double dependence_tolerance = 1e-10;
// Excess loss of the null fit, relative to that at the offset alone, below which the null fit is perfect up
// to the rounding error of the sum. At ten times the value nothing changes for data whose response has at
// most thirteen digits.
constexpr double perfect_fit = 1e-14;
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

// The share of the null deviance that a ridge fit explains, for a loss that is not quadratic.
class ExplainedShare {
 public:
  explicit ExplainedShare(const Problem& problem)
      : problem_(problem),
        solver_(problem, problem.data().weights, {}, Use::path),
        null_(excess(null_fit(problem, problem.data().weights).linear_predictor)) {}

  double null_excess() const { return null_; }
  // True when the null fit is perfect up to rounding. This happens when unpenalised columns separate two
  // classes and the loss is zero beyond a margin.
  bool nothing_left() const {
    const Vector offset = problem_.data().offset.replicate(problem_.outputs(), 1);
    return !(null_ > perfect_fit * excess(offset));
  }
  double at(double lambda) {
    const Fit fit = solver_.solve(std::span(&lambda, 1)).front();
    return 1.0 - excess(problem_.linear_predictor(fit.intercept, fit.coefficients)) / null_;
  }

 private:
  double excess(const Vector& predictor) const {
    const Dataset& data = problem_.data();
    return data.weights.dot(problem_.loss().value(predictor, data.response) -
                            problem_.loss().minimum(data.response));
  }

  const Problem& problem_;
  CertifiedSolver solver_;
  double null_;
};

// The lambda at which a ridge fit explains ridge_start_share of the null deviance, or half of what any fit
// explains if that is less. For large lambda the fit is one gradient step, b_j = slope_j / (lambda f_j),
// and the share is proportional to 1 / lambda; hence the fixed-point iteration in log lambda.
double smooth_ridge_start(const Problem& problem, const Vector& steepest) {
  ExplainedShare share(problem);
  const Vector factors = problem.penalty().separable(problem.columns())->square;
  double gain = 0.0;
  for (Index k = 0; k < problem.outputs(); ++k) {
    for (Index j = 0; j < problem.columns(); ++j) {
      const double slope = by_output(steepest, problem.outputs())(j, k);
      if (factors[j] > 0.0 && std::isfinite(factors[j])) gain += slope * slope / factors[j];
    }
  }
  if (share.nothing_left()) return 1.0;
  const double largest = gain / (ridge_start_share * share.null_excess());
  if (!(largest > 0.0) || !std::isfinite(largest)) return 1.0;
  const double smallest = 1e-12 * largest;
  double wanted = ridge_start_share;
  double lambda = largest;
  for (int step = 0; step < 100; ++step) {
    const double error = std::log(share.at(lambda) / wanted);
    if (!std::isfinite(error)) break;
    lambda *= std::exp(error);
    if (std::abs(error) < 1e-9) break;
    if (lambda > smallest) continue;
    wanted = std::min(wanted, 0.5 * share.at(smallest));
    if (!(wanted > 0.0)) return 1.0;
    lambda = smallest;
  }
  return lambda;
}

// The same for a smooth penalty that is not a sum over coefficients, by bisection in log lambda. The bracket
// grows by `factor` at a time over at most twelve decades. A share of explained deviance below `nothing`, the
// default tolerance of fits, cannot be told from zero.
double curved_start(const Problem& problem, const Vector& steepest) {
  constexpr double factor = 10.0;
  constexpr int most_factors = 12;
  constexpr double nothing = 1e-10;
  ExplainedShare share(problem);
  const double slope = steepest.norm();
  if (!(slope > 0.0) || share.nothing_left()) return 1.0;
  double wanted = ridge_start_share;
  double high = slope;
  for (int step = 0; step < most_factors && share.at(high) > wanted; ++step) high *= factor;
  double low = high / factor;
  for (int step = 0; step < most_factors && share.at(low) < wanted; ++step) low /= factor;
  wanted = std::min(wanted, 0.5 * share.at(low));
  if (!(wanted > nothing)) return 1.0;
  while (high > 1.001 * low) {
    const double middle = std::sqrt(low * high);
    (share.at(middle) > wanted ? low : high) = middle;
  }
  return low;
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

namespace {

// `known_start` gives the start from a decomposition of the problem that a solver has at hand.
double find_start(const Problem& problem, const std::function<std::optional<double>()>& known_start) {
  const Vector& weights = problem.data().weights;
  const Vector gradient = null_fit(problem, weights).gradient;
  const Matrix slopes = problem.design().transpose_multiply_columns(by_output(gradient, problem.outputs()));
  const Vector steepest = without_constant_columns(problem, -slopes.reshaped());
  double largest = 0.0;
  for (Index k = 0; k < problem.outputs(); ++k) {
    largest = std::max(largest, problem.penalty().lambda_max(by_output(steepest, problem.outputs()).col(k)));
  }
  if (std::isinf(largest)) {
    if (const auto known = known_start()) return *known;
    return problem.penalty().separable(problem.columns()) ? smooth_ridge_start(problem, steepest)
                                                          : curved_start(problem, steepest);
  }
  // A gradient of zero (constant response, no columns): any lambda gives the null fit.
  return largest > 0.0 ? largest : 1.0;
}

void check_grid(const GridOptions& options) {
  if (options.count < 1) {
    throw InvalidArgument(fmt::format("the number of lambdas must be at least 1, but is {}", options.count));
  }
  if (!(options.ratio >= 0.0 && options.ratio < 1.0)) {
    throw InvalidArgument(
        fmt::format("the ratio of the smallest to the largest lambda must lie between 0 and 1, but is {}",
                    options.ratio));
  }
}

std::vector<double> grid_from(const Problem& problem, const GridOptions& options, double start) {
  // The columns of the data count here, because a kernel has as many features as rows.
  const auto& kernel = problem.data().kernel;
  const Index columns = kernel ? kernel->columns.columns() : problem.columns();
  const double default_ratio = problem.rows() > columns ? 1e-4 : 1e-2;
  const double ratio = options.ratio > 0.0 ? options.ratio : default_ratio;
  std::vector<double> lambdas;
  for (int k = 0; k < options.count; ++k) {
    lambdas.push_back(k == 0 ? start : start * std::pow(ratio, static_cast<double>(k) / (options.count - 1)));
  }
  return lambdas;
}

}  // namespace

double PathSolver::start() {
  return find_start(implementation_->problem,
                    [this] { return implementation_->solver.start(ridge_start_share); });
}

std::vector<double> PathSolver::grid(const GridOptions& options) {
  check_grid(options);
  return grid_from(implementation_->problem, options, start());
}

double lambda_start(const Problem& problem) {
  const Method& method = route(problem);
  return find_start(problem, [&] {
    return method.solver(problem, problem.data().weights, {}, Use::path)->start(ridge_start_share);
  });
}

std::vector<double> lambda_grid(const Problem& problem, const GridOptions& options) {
  check_grid(options);
  return grid_from(problem, options, lambda_start(problem));
}

}  // namespace alo
