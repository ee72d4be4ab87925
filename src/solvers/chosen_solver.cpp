// SPDX-License-Identifier: MIT
#include "solvers/chosen_solver.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "problem/signal.hpp"
#include "solvers/starting_point.hpp"

namespace alo {

namespace {

// H_ii = h_i / w_i: the curvature of a quadratic loss is its weight. A row without weight is out already.
Vector hat_of(const Vector& leverages, const Vector& weights) {
  if (leverages.size() == 0) return {};
  return (weights.array() > 0.0).select(leverages.array() / weights.array(), 0.0);
}

Vector as_vector(double intercept) {
  return Vector::Constant(1, intercept);
}
Vector as_vector(Vector intercepts) {
  return intercepts;
}

template <class OneSolver>
std::vector<Fit> solve_with(const Problem& problem, const Vector& weights, OneSolver& solver,
                            std::span<const double> lambdas, const FitOptions& options,
                            const Monitor& monitor) {
  std::vector<Fit> fits;
  for (const double lambda : lambdas) {
    if (monitor.stop()) break;
    solver.solve(lambda);
    fits.push_back(make_fit(problem, lambda, solver.coefficients(), as_vector(solver.intercept())));
    if constexpr (requires { solver.subgradient(); }) fits.back().subgradient = solver.subgradient();
    if constexpr (requires { solver.multipliers(); }) fits.back().multipliers = solver.multipliers();
    if (!options.carry_hat) continue;
    if constexpr (requires { solver.leverages(); }) {
      fits.back().hat = hat_of(solver.leverages(), weights);
    } else {
      fits.back().hat = solver.hat();
    }
  }
  return fits;
}

std::vector<Fit> solve_with(const Problem& problem, const Vector& weights, LassoKnots& solver,
                            std::span<const double> lambdas, const FitOptions&, const Monitor& monitor) {
  std::vector<LassoKnots::Solution> solutions = solver.solve(lambdas, monitor);
  std::vector<Fit> fits;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    fits.push_back(
        make_fit(problem, lambdas[k], solutions[k].coefficients, as_vector(solutions[k].intercept)));
    fits.back().hat = hat_of(solutions[k].leverages, weights);
  }
  return fits;
}

std::vector<Fit> solve_with(const Problem& problem, const Vector& weights, SpectralRidge& solver,
                            std::span<const double> lambdas, const FitOptions& options,
                            const Monitor& monitor) {
  std::vector<Fit> fits;
  if (monitor.stop()) return fits;
  const std::vector<SpectralRidge::Solution> solutions = solver.solve(lambdas, options.carry_hat);
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const SpectralRidge::Solution& solution = solutions[k];
    fits.push_back(make_fit(problem, lambdas[k], solution.coefficients, as_vector(solution.intercept)));
    fits.back().hat = hat_of(solution.leverages, weights);
  }
  return fits;
}

std::vector<Fit> solve_with(const Problem&, const Vector&, LassoCoordinatesSolver& solver,
                            std::span<const double> lambdas, const FitOptions&, const Monitor& monitor) {
  return solver.solve(lambdas, monitor);
}

std::vector<Fit> solve_with(const Problem&, const Vector&, CompletionPath& solver,
                            std::span<const double> lambdas, const FitOptions&, const Monitor& monitor) {
  return solver.solve(lambdas, monitor);
}

std::vector<Fit> solve_with(const Problem&, const Vector&, SignalSolver& solver,
                            std::span<const double> lambdas, const FitOptions&, const Monitor& monitor) {
  return solver.solve(lambdas, monitor);
}

std::vector<Fit> solve_with(const Problem&, const Vector&, ProximalSignal& solver,
                            std::span<const double> lambdas, const FitOptions&, const Monitor& monitor) {
  return solver.solve(lambdas, monitor);
}

// Products with the design, of which a kernel of the rows needs no others, for all lambdas at once.
std::vector<Fit> solve_with(const Problem& problem, const Vector&, KernelSolver& solver,
                            std::span<const double> lambdas, const FitOptions& options,
                            const Monitor& monitor) {
  std::vector<Fit> fits;
  std::vector<Vector> unpenalized;
  Matrix gradients(problem.rows(), static_cast<Index>(lambdas.size()));
  for (const double lambda : lambdas) {
    if (monitor.stop()) break;
    solver.solve(lambda);
    gradients.col(static_cast<Index>(fits.size())) = solver.subgradient();
    unpenalized.push_back(solver.unpenalized());
    fits.emplace_back();
    fits.back().lambda = lambda;
    fits.back().intercept = as_vector(solver.intercept());
    if (options.carry_hat) fits.back().hat = solver.hat();
  }
  const auto count = static_cast<Index>(fits.size());
  const Matrix products = problem.design().transpose_multiply_columns(gradients.leftCols(count));
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    const Vector coefficients =
        solver.coefficients(products.col(k), unpenalized[static_cast<std::size_t>(k)], fit.lambda);
    Vector hat = std::move(fit.hat);
    fit = make_fit(problem, fit.lambda, coefficients, fit.intercept);
    fit.hat = std::move(hat);
    fit.subgradient = gradients.col(k);
  }
  return fits;
}

}  // namespace

Fit make_fit(const Problem& problem, double lambda, const Vector& coefficients, const Vector& intercept) {
  Fit fit;
  fit.lambda = lambda;
  const Matrix scaled =
      problem.scale().cwiseInverse().asDiagonal() * by_output(coefficients, problem.outputs());
  fit.coefficients = scaled.reshaped();
  fit.intercept = Vector::Zero(problem.outputs());
  if (problem.intercept()) fit.intercept = intercept - scaled.transpose() * problem.design().center();
  // Intercepts of several outputs are free up to a common number.
  if (problem.outputs() > 1) fit.intercept.array() -= fit.intercept.mean();
  return fit;
}

void start_newton(const Problem& problem, const Fit& fit, NewtonSolver& solver) {
  const StartingPoint start = starting_point(problem, fit);
  solver.start_from(start.coefficients.reshaped(), start.intercept, fit.lambda);
}

bool has_absolute_values(const SeparableTerms& terms) {
  const auto squared = (terms.square + terms.fixed_square).array() > 0.0;
  return (terms.absolute.array() > 0.0 || !squared).all() && (terms.absolute.array() > 0.0).any();
}

bool is_ridge(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  return terms && (terms->absolute.array() == 0.0).all();
}

namespace {

// The other solvers have matrices with as many rows and columns as a signal has rows.
void check_signal_length(const Problem& problem) {
  constexpr Index longest = 10'000;
  const auto* penalty = problem.rows() > longest ? signal_penalty(problem) : nullptr;
  if (penalty == nullptr) return;
  throw InvalidArgument(fmt::format(
      "a signal of {} rows is too long for {} loss with a {} penalty, which takes {} at most here; of any "
      "length are fused-lasso without --sparse and trend-filter, and with the squared loss, equal weights "
      "and "
      "no rows taken out by --folds also wavelet and --sparse; else take means of neighbouring rows",
      problem.rows(), problem.loss().name(), penalty->name(), longest));
}

}  // namespace

ChosenSolver::Solver ChosenSolver::choose(const Problem& problem, const Vector& weights,
                                          const FitOptions& options, Use use) {
  if (SignalSolver::suits(problem)) return Solver(std::in_place_type<SignalSolver>, problem, weights);
  if (ProximalSignal::suits(problem, weights)) return Solver(std::in_place_type<ProximalSignal>, problem);
  check_signal_length(problem);
  if (LassoCoordinates::suits(problem)) {
    return Solver(std::in_place_type<LassoCoordinatesSolver>, problem, weights, options, use == Use::path);
  }
  if (CompletionPath::suits(problem)) {
    return Solver(std::in_place_type<CompletionPath>, problem, weights, options);
  }
  if (MatrixSolver::suits(problem)) return Solver(std::in_place_type<MatrixSolver>, problem, weights);
  if (TermsSolver::suits(problem)) return Solver(std::in_place_type<TermsSolver>, problem, weights);
  if (PatternSolver::suits(problem)) return Solver(std::in_place_type<PatternSolver>, problem, weights);
  if (RowSpace::suits(problem)) return Solver(std::in_place_type<RowSpaceSolver>, problem, weights);
  if (problem.loss().has_kinks()) {
    if (KernelSolver::suits(problem)) return Solver(std::in_place_type<KernelSolver>, problem, weights);
    if (TallSolver::suits(problem)) return Solver(std::in_place_type<TallSolver>, problem, weights);
    return Solver(std::in_place_type<AugmentedLagrangian>, problem, weights);
  }
  if (!problem.loss().is_quadratic()) return Solver(std::in_place_type<NewtonSolver>, problem, weights);
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const bool fixed = (terms.fixed_square.array() > 0.0).any();
  if (is_ridge(problem) && !fixed) return Solver(std::in_place_type<SpectralRidge>, problem, weights);
  // Without squares the path is affine between knots and each is visited on the way down.
  const bool affine = (terms.square.array() == 0.0).all() && has_absolute_values(terms);
  if (use == Use::path && affine) {
    return Solver(std::in_place_type<LassoKnots>, problem, weights, options.carry_hat);
  }
  return Solver(std::in_place_type<ActiveSetSolver>, problem, weights);
}

ChosenSolver::ChosenSolver(const Problem& problem, const Vector& weights, FitOptions options, Use use)
    : problem_(problem),
      weights_(weights),
      options_(options),
      certifier_(problem, weights),
      solver_(choose(problem, weights, options, use)) {}

void ChosenSolver::start_from(const Fit& fit) {
  if (auto* solver = std::get_if<ActiveSetSolver>(&solver_)) {
    solver->start_from(problem_.scale().cwiseProduct(fit.coefficients));
  } else if (auto* newton = std::get_if<NewtonSolver>(&solver_)) {
    start_newton(problem_, fit, *newton);
  } else if (auto* kinked = std::get_if<KernelSolver>(&solver_)) {
    kinked->start_from(fit);
  } else if (auto* band = std::get_if<TallSolver>(&solver_)) {
    band->start_from(fit);
  } else if (auto* springs = std::get_if<AugmentedLagrangian>(&solver_)) {
    springs->start_from(fit);
  } else if (auto* reduced = std::get_if<LassoCoordinatesSolver>(&solver_)) {
    reduced->start_from(fit);
  } else if (auto* completion = std::get_if<CompletionPath>(&solver_)) {
    completion->start_from(fit);
  } else if (auto* matrices = std::get_if<MatrixSolver>(&solver_)) {
    matrices->start_from(fit);
  } else if (auto* signal = std::get_if<SignalSolver>(&solver_)) {
    signal->start_from(fit);
  } else if (auto* terms = std::get_if<TermsSolver>(&solver_)) {
    terms->start_from(fit);
  } else if (auto* patterns = std::get_if<PatternSolver>(&solver_)) {
    patterns->start_from(fit);
  }
}

std::vector<Fit> ChosenSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  return std::visit(
      [&](auto& solver) { return solve_with(problem_, weights_, solver, lambdas, options_, monitor); },
      solver_);
}

void ChosenSolver::certify(std::span<Fit> fits) const {
  const auto judge = [this](Fit& fit) {
    const bool met = meets(fit.certificate, options_.tolerance);
    fit.status = met ? FitStatus::converged : FitStatus::not_converged;
    return met;
  };
  certifier_.certify(fits);
  for (Fit& fit : fits) {
    if (judge(fit)) continue;
    auto another = second_try(fit);
    if (!another) continue;
    certifier_.certify(std::span(&*another, 1));
    const auto missed_by = [](const Fit& one) { return one.certificate.gap.value_or(one.certificate.kkt); };
    if (missed_by(*another) < missed_by(fit)) fit = std::move(*another);
    judge(fit);
  }
}

std::optional<Fit> ChosenSolver::second_try(const Fit& fit) const {
  const auto solve_again = [&](auto&& solver) {
    return solve_with(problem_, weights_, solver, std::span<const double>(&fit.lambda, 1), options_, {})
        .front();
  };
  if (std::holds_alternative<LassoKnots>(solver_)) {
    // Knots so close that rounding confused their order: start over from the pattern found.
    ActiveSetSolver careful(problem_, weights_);
    careful.start_from(problem_.scale().cwiseProduct(fit.coefficients));
    return solve_again(careful);
  }
  // By another way than from the solution before.
  if (std::holds_alternative<NewtonSolver>(solver_)) return solve_again(NewtonSolver(problem_, weights_));
  if (std::holds_alternative<SignalSolver>(solver_)) {
    const bool has_other_way =
        !problem_.loss().is_quadratic() || problem_.penalty().as<GeneralizedLasso>()->order() == 2;
    if (!has_other_way) return std::nullopt;
    return solve_again(SignalSolver(problem_, weights_, TrendSearches::careful));
  }
  if (const auto* reduced = std::get_if<LassoCoordinatesSolver>(&solver_)) {
    Fit repaired = reduced->repaired(fit);
    // Sums of sums of columns are too much alike. Patterns have well-conditioned bases, but take seconds.
    constexpr Index most_columns = 2000;
    const bool alike = problem_.penalty().as<GeneralizedLasso>()->order() > 2;
    if (!alike || problem_.columns() > most_columns || !PatternSolver::suits(problem_)) return repaired;
    certifier_.certify(std::span(&repaired, 1));
    if (meets(repaired.certificate, options_.tolerance)) return repaired;
    return solve_again(PatternSolver(problem_, weights_));
  }
  return std::nullopt;
}

Fit ChosenSolver::fit(double lambda) {
  std::vector<Fit> fits = solve(std::span(&lambda, 1));
  certify(fits);
  return std::move(fits.front());
}

}  // namespace alo
