// SPDX-License-Identifier: MIT
#include "solvers/quadratic/methods.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "formula/hat.hpp"
#include "problem/separable.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/quadratic/active_set.hpp"
#include "solvers/quadratic/fit_leverages.hpp"
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
  std::optional<double> end(double share) override { return ridge_.spectrum().lambda_at(share); }

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
      fits.back().hat = hat_of(std::move(solutions[k].leverages), weights_);
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
LeaveOneOut hold_out_ridge(const Problem& problem, const Fit& fit) {
  return fit.hat.size() > 0 ? hold_out_by_hat(problem, fit, fit.hat)
                            : hold_out_cheapest(local_model(problem, fit));
}

std::vector<std::optional<bool>> certify_ridge_rows(const Problem& problem, const Fit& fit) {
  const LeaveOneOut held_out = hold_out_ridge(problem, fit);
  std::vector<std::optional<bool>> certified(held_out.flags.size());
  for (std::size_t i = 0; i < certified.size(); ++i) {
    if (held_out.flags[i] == RowFlag::none) certified[i] = true;
  }
  return certified;
}

// A ridge's held-out rows by the formula, which is exact for it, in the form of a homotopy
// (HeldOutRows::walk). Where the leverage is within near_one of one, rounding is divided by 1 - h, and a
// refit is better: at a tenth predictions lose a digit, at ten times more rows are refitted than need be.
class RidgeRows {
 public:
  struct Result {
    Vector linear_predictor;
    std::vector<Index> unsure;
    Index missed = 0;
  };
  RidgeRows(const Problem& problem, const ExactOptions&) : problem_(problem) {}

  Result run(const Fit& fit, const std::vector<Index>& rows, const std::function<bool(Index)>& progress) {
    Result result;
    result.linear_predictor = Vector::Constant(problem_.rows(), std::numeric_limits<double>::quiet_NaN());
    const LeaveOneOut held_out = hold_out_ridge(problem_, fit);
    for (const Index i : rows) {
      const bool is_sound = held_out.flags[static_cast<std::size_t>(i)] == RowFlag::none &&
                            held_out.leverage[i] < 1.0 - near_one;
      if (is_sound) result.linear_predictor[i] = held_out.linear_predictor[i];
      if (!is_sound) result.unsure.push_back(i);
    }
    progress(static_cast<Index>(rows.size()));
    return result;
  }

 private:
  static constexpr double near_one = 1e-6;
  const Problem& problem_;
};

// Columns in a tableau: all of them, or with more columns than rows an estimate of those that are active or
// near their threshold.
double tableau_width(const Sizes& sizes, double active) {
  return sizes.columns <= sizes.rows ? sizes.columns : std::min(sizes.columns, 2.0 * active + 50.0);
}

// The same along a path, which looks less far ahead where the tableau is larger than the design.
double path_width(const Sizes& sizes) {
  const double wide = tableau_width(sizes, sizes.active);
  return wide * wide > sizes.entries ? std::min(wide, 1.3 * sizes.active + 50.0) : wide;
}

// The operations of a product of two columns, in which an operation on a scattered entry takes as long as
// this many of a matrix product.
double row_equivalent(const Sizes& sizes) {
  constexpr double scattered_cost = 20.0;
  return std::min(sizes.rows, scattered_cost * sizes.entries / sizes.columns);
}

// The share of the rows' freedom that a fit takes, an estimate of the mean leverage. Above the bound what
// rows cost no longer grows as the walk to 1 / (1 - h) would have it, because they meet other columns before.
double mean_leverage(const Sizes& sizes) {
  constexpr double most = 0.85;
  return std::min(sizes.active / sizes.rows, most);
}

}  // namespace

double knot_path_flops(const Problem& problem, std::span<const Index> nonzero) {
  // The certificate and the held-out rows of a fit.
  const auto of_fit = [](const Sizes& sizes) {
    return 22.0 * sizes.entries + 2.0 * sizes.rows * sizes.active + 900.0 * sizes.rows +
           2300.0 * sizes.columns + call_flops;
  };
  // The tableau and its pivots, and the leverages.
  const auto of_last = [](const Sizes& last) {
    const double n = row_equivalent(last);
    const double s = last.active;
    const double w = path_width(last);
    return n * w * w + s * w * w + n * s * s;
  };
  return sum_over_path(problem, nonzero, of_fit, of_last);
}

double row_homotopy_flops(const Problem& problem, Index nonzero, Index rows) {
  const Sizes sizes = sizes_of(problem, nonzero);
  const auto [n, p, entries, s] = sizes;
  const auto held_out = static_cast<double>(rows);
  // A row moves by its residual over 1 - h and meets knots on the way.
  const double leverage = mean_leverage(sizes);
  const double odds = leverage / (1.0 - leverage);
  const double reach = std::min(s, n) / (1.0 - leverage);
  const double affordable = std::max(200.0, std::sqrt(2.0 * held_out * entries / n));
  const double w = std::min(tableau_width(sizes, reach), s + affordable);
  const double tableau = 2.0 * (entries < n * p ? entries / p : n) * w * w + 2.0 * s * w * w;
  const double walks = held_out * (2.0 * s * w + w * (500.0 + 5.0 * reach) + 6000.0);
  const double certificates = 140.0 * entries * std::ceil(held_out / 1024.0);
  const double other_columns = w < p ? held_out * entries * (3.0 + 2.0 * odds * odds) : 0.0;
  return 20.0 * call_flops + 30.0 * entries + tableau + walks + certificates + other_columns;
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

ExactLeaveOneOut SpectralRidgeMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                            const std::vector<Index>& rows, const ExactOptions& options,
                                            const Monitor& monitor) const {
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.walk<RidgeRows>();
  return held_out.take();
}

std::vector<std::optional<bool>> SpectralRidgeMethod::certify_rows(const Problem& problem,
                                                                   const Fit& fit) const {
  return certify_ridge_rows(problem, fit);
}

// The decomposition of the smaller Gram matrix, and at every lambda products with its vectors.
double SpectralRidgeMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  const auto of_fit = [](const Sizes& sizes) {
    const double m = std::min(sizes.rows, sizes.columns);
    return 30.0 * sizes.entries + 4.0 * m * (sizes.rows + sizes.columns) +
           1000.0 * (sizes.rows + sizes.columns) + call_flops;
  };
  const auto of_last = [](const Sizes& last) {
    const double m = std::min(last.rows, last.columns);
    return 2.0 * last.rows * last.columns * m + 25.0 * m * m * m;
  };
  return sum_over_path(problem, nonzero, of_fit, of_last);
}

// The formula; the leverages are those of the fit.
double SpectralRidgeMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  const Sizes sizes = sizes_of(problem, fit.nonzero);
  return call_flops + 500.0 * sizes.rows + 10.0 * static_cast<double>(rows);
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

Vector LassoHomotopyMethod::hat(const Problem& problem, const Fit& fit) const {
  return hat_of(fit_leverages(problem, fit), problem.data().weights);
}

ExactLeaveOneOut LassoHomotopyMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                            const std::vector<Index>& rows, const ExactOptions& options,
                                            const Monitor& monitor) const {
  return walk_rows(problem, fits, rows, options, monitor);
}

double LassoHomotopyMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return knot_path_flops(problem, nonzero);
}

double LassoHomotopyMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  return row_homotopy_flops(problem, fit.nonzero, rows);
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

// A factor and several rounds over the columns at every lambda: about three times what the knots of a lasso
// take.
double ActiveSetMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return 2.8 * knot_path_flops(problem, nonzero);
}

double ActiveSetMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  return has_knots(problem) ? row_homotopy_flops(problem, fit.nonzero, rows)
                            : Method::exact_flops(problem, fit, rows);
}

}  // namespace alo
