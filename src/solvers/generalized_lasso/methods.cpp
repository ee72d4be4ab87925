// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/methods.hpp"

#include <algorithm>
#include <limits>

#include "problem/signal.hpp"
#include "solvers/generalized_lasso/lasso_coordinates.hpp"
#include "solvers/generalized_lasso/proximal_signal.hpp"
#include "solvers/generalized_lasso/signal_solver.hpp"
#include "solvers/generalized_lasso/terms_solver.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/quadratic/methods.hpp"
#include "solvers/row_certificate.hpp"
#include "solvers/smooth/methods.hpp"

namespace alo {

namespace {

bool has_independent_terms(const Problem& problem) {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  return analysis != nullptr && analysis->right_inverse() != nullptr;
}

// The operations of a fit and its certificate per row of a signal (bench/compare/operation_counts). Only
// estimates depend on it.
constexpr double signal_row_flops = 2000.0;
double signal_flops(const Problem& problem, double fits) {
  return signal_row_flops * static_cast<double>(problem.rows()) * fits;
}

// What exact leave-one-out takes for a row, in fits: it finds the middle of an interval of predictions, and a
// search over the knots of bends meets many more of them than one over steps. A loss that is not quadratic is
// weighted anew some times.
double fits_per_row(const Problem& problem) {
  const SparseMatrix& terms = problem.penalty().analysis()->matrix();
  const bool has_steps = terms.nonZeros() <= 2 * terms.rows();
  return (has_steps ? 1.0 : 10.0) * (problem.loss().is_quadratic() ? 1.0 : 4.0);
}

// The estimated operations of the path of a lasso with the same number of active coefficients.
double lasso_path_flops(const Problem& problem, std::span<const Index> nonzero) {
  return problem.loss().is_quadratic() ? knot_path_flops(problem, nonzero)
                                       : newton_path_flops(problem, nonzero);
}

// Certifies rows; where D has independent rows, those of the equivalent lasso.
std::vector<std::optional<bool>> certify_terms(const Problem& problem, const Fit& fit) {
  if (problem.rows() > longest_certified_signal && signal_operator(problem) != nullptr) {
    return std::vector<std::optional<bool>>(static_cast<std::size_t>(problem.rows()));
  }
  if (!has_independent_terms(problem)) return certify_rows_by_model(problem, fit);
  const LassoCoordinates coordinates(problem);
  const Problem& reduced = coordinates.reduced();
  return route(reduced).certify_rows(reduced, coordinates.reduce(fit));
}

}  // namespace

bool SignalMethod::suits(const Problem& problem, const Vector&) const {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  return analysis != nullptr && analysis->signals() != nullptr && problem.outputs() == 1 &&
         !problem.loss().has_kinks() && !problem.intercept() && is_identity(problem.design());
}

std::unique_ptr<Solver> SignalMethod::solver(const Problem& problem, const Vector& weights, const FitOptions&,
                                             Use) const {
  return std::make_unique<SignalSolver>(problem, weights);
}

Vector SignalMethod::hat(const Problem& problem, const Fit& fit) const {
  return signal_hat(problem, fit);
}

std::vector<std::optional<bool>> SignalMethod::certify_rows(const Problem& problem, const Fit& fit) const {
  // The Newton step of the formula is exact only for a quadratic loss.
  if (!problem.loss().is_quadratic()) return certify_rows_by_model(problem, fit);
  return certify_terms(problem, fit);
}

double SignalMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return signal_flops(problem, static_cast<double>(nonzero.size()));
}

double SignalMethod::exact_flops(const Problem& problem, const FitSize&, Index rows) const {
  return static_cast<double>(rows) * (signal_flops(problem, fits_per_row(problem)) + 6.0 * call_flops);
}

bool ProximalSignalMethod::suits(const Problem& problem, const Vector& weights) const {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  return analysis != nullptr && analysis->proximal_map() != nullptr && problem.outputs() == 1 &&
         problem.loss().is_quadratic() && !problem.intercept() && (weights.array() == 1.0).all() &&
         is_identity(problem.design());
}

std::unique_ptr<Solver> ProximalSignalMethod::solver(const Problem& problem, const Vector&, const FitOptions&,
                                                     Use) const {
  return std::make_unique<ProximalSignal>(problem);
}

Vector ProximalSignalMethod::hat(const Problem& problem, const Fit& fit) const {
  return problem.penalty().analysis()->proximal_map()->slopes(fit.multipliers, fit.lambda);
}

ExactLeaveOneOut ProximalSignalMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                             const std::vector<Index>& rows, const ExactOptions& options,
                                             const Monitor& monitor) const {
  const ProximalSignal signal(problem);
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.predict_all([&](std::span<const Fit> some, Index row) {
    HeldOutPredictions found(problem, some.size());
    for (std::size_t k = 0; k < some.size(); ++k) {
      const auto [low, high] = signal.values_without(row, some[k], pulls_nowhere(problem, some[k], row));
      found.set_interval(k, low, high, std::numeric_limits<double>::quiet_NaN());
    }
    return found;
  });
  return held_out.take();
}

std::vector<std::optional<bool>> ProximalSignalMethod::certify_rows(const Problem& problem,
                                                                    const Fit& fit) const {
  return certify_terms(problem, fit);
}

double ProximalSignalMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return signal_flops(problem, static_cast<double>(nonzero.size()));
}

// A row takes about four proximal maps.
double ProximalSignalMethod::exact_flops(const Problem& problem, const FitSize&, Index rows) const {
  return static_cast<double>(rows) * (signal_flops(problem, 4.0) + 6.0 * call_flops);
}

bool LassoCoordinatesMethod::suits(const Problem& problem, const Vector&) const {
  return has_independent_terms(problem);
}

std::unique_ptr<Solver> LassoCoordinatesMethod::solver(const Problem& problem, const Vector& weights,
                                                       const FitOptions& options, Use use) const {
  return std::make_unique<LassoCoordinatesSolver>(problem, weights, options, use);
}

ExactLeaveOneOut LassoCoordinatesMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                               const std::vector<Index>& rows, const ExactOptions& options,
                                               const Monitor& monitor) const {
  if (is_identity(problem.design())) return Method::exact(problem, fits, rows, options, monitor);
  const LassoCoordinates coordinates(problem);
  const Problem& reduced = coordinates.reduced();
  return route(reduced).exact(reduced, coordinates.reduce(fits), rows, options, monitor);
}

std::vector<std::optional<bool>> LassoCoordinatesMethod::certify_rows(const Problem& problem,
                                                                      const Fit& fit) const {
  return certify_terms(problem, fit);
}

double LassoCoordinatesMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return lasso_path_flops(problem, nonzero);
}

double LassoCoordinatesMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  if (signal_operator(problem) != nullptr) return Method::exact_flops(problem, fit, rows);
  // Coefficients that are not zero say little of how many terms are: no more than half as many as rows,
  // mostly.
  const Index terms = std::min(fit.nonzero, problem.rows() / 2);
  return 20.0 * call_flops + (problem.loss().is_quadratic() ? row_homotopy_flops(problem, terms, rows)
                                                            : newton_rows_flops(problem, terms, rows));
}

bool TermsMethod::suits(const Problem& problem, const Vector&) const {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  return analysis != nullptr && analysis->right_inverse() == nullptr &&
         (problem.outputs() > 1 || !analysis->has_direct_prox()) && !problem.loss().has_kinks();
}

std::unique_ptr<Solver> TermsMethod::solver(const Problem& problem, const Vector& weights,
                                            const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<TermsSolver>>(problem, weights, options);
}

double TermsMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return lasso_path_flops(problem, nonzero);
}

}  // namespace alo
