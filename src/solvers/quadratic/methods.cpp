// SPDX-License-Identifier: MIT
#include "solvers/quadratic/methods.hpp"

#include <algorithm>
#include <limits>

#include "formula/hat.hpp"
#include "problem/separable.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/quadratic/active_set.hpp"
#include "solvers/quadratic/lasso_knots.hpp"
#include "solvers/quadratic/row_homotopy.hpp"
#include "solvers/quadratic/spectral_ridge.hpp"
#include "solvers/row_certificate.hpp"

namespace alo {

namespace {

bool is_quadratic_and_separable(const Problem& problem) {
  return problem.loss().is_quadratic() && problem.penalty().separable(problem.columns());
}

class RidgeSolver final : public Solver {
 public:
  RidgeSolver(const Problem& problem, const Vector& weights, const FitOptions& options)
      : problem_(problem), weights_(weights), options_(options), ridge_(problem, weights) {}

  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override {
    std::vector<Fit> fits;
    if (monitor.stop()) return fits;
    const std::vector<SpectralRidge::Solution> solutions = ridge_.solve(lambdas, options_.carry_hat);
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      const SpectralRidge::Solution& solution = solutions[k];
      fits.push_back(make_fit(problem_, lambdas[k], solution.coefficients, as_vector(solution.intercept)));
      fits.back().hat = hat_of(solution.leverages, weights_);
    }
    return fits;
  }
  std::optional<double> start(double share) override { return ridge_.start(share); }

 private:
  const Problem& problem_;
  Vector weights_;
  FitOptions options_;
  SpectralRidge ridge_;
};

using ActiveSets = LambdaByLambda<ActiveSetSolver>;

class Knots final : public Solver {
 public:
  Knots(const Problem& problem, const Vector& weights, const FitOptions& options)
      : problem_(problem),
        weights_(weights),
        options_(options),
        knots_(problem, weights, options.carry_hat) {}

  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override {
    std::vector<LassoKnots::Solution> solutions = knots_.solve(lambdas, monitor);
    std::vector<Fit> fits;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      fits.push_back(
          make_fit(problem_, lambdas[k], solutions[k].coefficients, as_vector(solutions[k].intercept)));
      fits.back().hat = hat_of(solutions[k].leverages, weights_);
    }
    return fits;
  }
  // A fit misses its certificate where knots are so close that rounding exchanged their order. An active set
  // then starts from the pattern that was found.
  std::optional<Fit> retry(const Fit& missed, int attempt) override {
    if (attempt > 2) return std::nullopt;
    ActiveSets careful(problem_, weights_, options_);
    careful.start_from(missed);
    Fit fit = std::move(careful.solve(std::span(&missed.lambda, 1), {}).front());
    fit.method = ActiveSetMethod().name();
    return fit;
  }

 private:
  const Problem& problem_;
  Vector weights_;
  FitOptions options_;
  LassoKnots knots_;
};

ExactLeaveOneOut walk_rows(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                           const ExactOptions& options, const Monitor& monitor) {
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.walk<RowHomotopy>();
  return held_out.take();
}

// The objective of a ridge is quadratic, so the Newton step of the formula leads to the fit without the row.
// Every row that has a held-out prediction is therefore certified.
std::vector<std::optional<bool>> certify_ridge_rows(const Problem& problem, const Fit& fit) {
  const LeaveOneOut held_out = fit.hat.size() > 0 ? hold_out_by_hat(problem, fit, fit.hat)
                                                  : hold_out_cheapest(local_model(problem, fit));
  std::vector<std::optional<bool>> certified(held_out.flags.size());
  for (std::size_t i = 0; i < certified.size(); ++i) {
    if (held_out.flags[i] == RowFlag::none) certified[i] = true;
  }
  return certified;
}

// Columns in a tableau: all of them, or with more columns than rows an estimate of those that are active or
// near their threshold.
double tableau_width(const Sizes& sizes, double active) {
  return sizes.columns <= sizes.rows ? sizes.columns : std::min(sizes.columns, 2.0 * active + 50.0);
}

}  // namespace

double knot_path_flops(const Problem& problem, std::span<const Index> nonzero) {
  // The certificate and the held-out rows of a fit.
  const auto of_fit = [](const Sizes& sizes) {
    return 30.0 * sizes.entries + 2.0 * sizes.rows * sizes.active + 4000.0 * (sizes.rows + sizes.columns);
  };
  // The tableau and its pivots, and the leverages.
  const auto of_last = [](const Sizes& last) {
    const double n = last.rows;
    const double s = last.active;
    const double w = tableau_width(last, s);
    return n * w * w + s * w * w + n * s * s;
  };
  return sum_over_path(problem, nonzero, of_fit, of_last);
}

double row_homotopy_flops(const Problem& problem, Index nonzero, Index rows) {
  const auto held_out = static_cast<double>(rows);
  const Sizes sizes = sizes_of(problem, nonzero);
  const auto [n, p, entries, s] = sizes;
  // A row moves by its residual over 1 - h, where h is s / n on average, and meets knots on the way.
  const double reach = s / std::max(1.0 - s / n, 0.01);
  const double w = tableau_width(sizes, reach);
  const double tableau = n * w * w + 2.0 * s * w * w;
  const double directions = 2.0 * held_out * s * w;
  const double walks = held_out * (w * (600.0 + 8.0 * reach) + 6000.0);
  const double certificates = 0.1 * held_out * entries;  // of some rows
  const double other_columns = w < p ? 6.0 * held_out * entries : 0.0;
  return tableau + directions + walks + certificates + other_columns;
}

bool SpectralRidgeMethod::suits(const Problem& problem, const Vector&) const {
  if (!problem.loss().is_quadratic() || !is_ridge(problem)) return false;
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  return (terms.fixed_square.array() == 0.0).all();
}

std::unique_ptr<Solver> SpectralRidgeMethod::solver(const Problem& problem, const Vector& weights,
                                                    const FitOptions& options, Use) const {
  return std::make_unique<RidgeSolver>(problem, weights, options);
}

std::vector<std::optional<bool>> SpectralRidgeMethod::certify_rows(const Problem& problem,
                                                                   const Fit& fit) const {
  return certify_ridge_rows(problem, fit);
}

double SpectralRidgeMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return knot_path_flops(problem, nonzero);
}

bool LassoHomotopyMethod::suits(const Problem& problem, const Vector&) const {
  if (!is_quadratic_and_separable(problem)) return false;
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  return (terms.square.array() == 0.0).all() && has_absolute_values(terms);
}

std::unique_ptr<Solver> LassoHomotopyMethod::solver(const Problem& problem, const Vector& weights,
                                                    const FitOptions& options, Use use) const {
  if (use == Use::path) return std::make_unique<Knots>(problem, weights, options);
  return std::make_unique<ActiveSets>(problem, weights, options);
}

std::unique_ptr<AffinePath> LassoHomotopyMethod::affine_path(const Problem& problem) const {
  return std::make_unique<LassoKnots>(problem, problem.data().weights, true);
}

ExactLeaveOneOut LassoHomotopyMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                            const std::vector<Index>& rows, const ExactOptions& options,
                                            const Monitor& monitor) const {
  return walk_rows(problem, fits, rows, options, monitor);
}

double LassoHomotopyMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return knot_path_flops(problem, nonzero);
}

double LassoHomotopyMethod::exact_flops(const Problem& problem, Index nonzero, Index rows) const {
  return row_homotopy_flops(problem, nonzero, rows);
}

bool ActiveSetMethod::suits(const Problem& problem, const Vector&) const {
  return is_quadratic_and_separable(problem);
}

std::unique_ptr<Solver> ActiveSetMethod::solver(const Problem& problem, const Vector& weights,
                                                const FitOptions& options, Use) const {
  return std::make_unique<ActiveSets>(problem, weights, options);
}

ExactLeaveOneOut ActiveSetMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                        const std::vector<Index>& rows, const ExactOptions& options,
                                        const Monitor& monitor) const {
  if (has_knots(problem)) return walk_rows(problem, fits, rows, options, monitor);
  return Method::exact(problem, fits, rows, options, monitor);
}

std::vector<std::optional<bool>> ActiveSetMethod::certify_rows(const Problem& problem, const Fit& fit) const {
  return is_ridge(problem) ? certify_ridge_rows(problem, fit) : Method::certify_rows(problem, fit);
}

double ActiveSetMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return knot_path_flops(problem, nonzero);
}

double ActiveSetMethod::exact_flops(const Problem& problem, Index nonzero, Index rows) const {
  return has_knots(problem) ? row_homotopy_flops(problem, nonzero, rows)
                            : Method::exact_flops(problem, nonzero, rows);
}

}  // namespace alo
