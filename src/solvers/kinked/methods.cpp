// SPDX-License-Identifier: MIT
#include "solvers/kinked/methods.hpp"

#include <algorithm>
#include <cmath>

#include "problem/separable.hpp"
#include "solvers/flops.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/kinked/augmented_lagrangian.hpp"
#include "solvers/kinked/homotopy/kink_homotopy.hpp"
#include "solvers/kinked/kernel_solver.hpp"
#include "solvers/kinked/tall_solver.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/smooth/methods.hpp"

namespace alo {

namespace {

// The kernel of all rows is made for at most this many rows for each column, and for few rows in any case. It
// has n^2 numbers, 288 MB at the most, and takes n^2 p operations. Only speed and memory depend on these.
constexpr Index kernel_rows_per_column = 6;
constexpr Index most_kernel_rows = 6000;
constexpr Index few_rows = 200;
// The active set in the coefficients factors p x p matrices and gains by leaving rows aside. It is used for
// at least this many rows for each column, and at most so many columns. Only the speed depends on these.
constexpr Index tall_rows_per_column = 4;
constexpr Index most_tall_columns = 2000;

bool is_kinked_ridge(const Problem& problem) {
  return problem.loss().has_kinks() && is_ridge(problem);
}

// The coefficients of the kernel form are products with the design, which are computed for all lambdas at
// once.
class KernelFits final : public Solver {
 public:
  KernelFits(const Problem& problem, const Vector& weights, const FitOptions& options)
      : problem_(problem), options_(options), solver_(problem, weights) {}

  void start_from(const Fit& fit) override { solver_.start_from(fit); }
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;

 private:
  const Problem& problem_;
  FitOptions options_;
  KernelSolver solver_;
};

std::vector<Fit> KernelFits::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  std::vector<Vector> unpenalized;
  Matrix gradients(problem_.rows(), static_cast<Index>(lambdas.size()));
  for (const double lambda : lambdas) {
    if (monitor.stop()) break;
    solver_.solve(lambda);
    gradients.col(static_cast<Index>(fits.size())) = solver_.subgradient();
    unpenalized.push_back(solver_.unpenalized());
    fits.emplace_back();
    fits.back().lambda = lambda;
    fits.back().intercept = as_vector(solver_.intercept());
    if (options_.carry_hat) fits.back().hat = solver_.hat();
  }
  const auto count = static_cast<Index>(fits.size());
  const Matrix products = problem_.design().transpose_multiply_columns(gradients.leftCols(count));
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    const Vector coefficients =
        solver_.coefficients(products.col(k), unpenalized[static_cast<std::size_t>(k)], fit.lambda);
    Vector hat = std::move(fit.hat);
    fit = make_fit(problem_, fit.lambda, coefficients, fit.intercept);
    fit.hat = std::move(hat);
    fit.subgradient = gradients.col(k);
  }
  return fits;
}

// An estimate of the number of pinned rows: somewhat fewer than columns and rows allow.
double pinned_rows(const Sizes& sizes) {
  return 0.6 * std::min(sizes.rows, sizes.active);
}

// The number of kinks in each row.
double kinks_of(const Problem& problem) {
  return static_cast<double>(problem.loss().kinks(problem.data().response.head(1)).position.cols());
}

// Estimated operations of a refit without a row by the augmented Lagrangian, whose multipliers are far from
// those of the fit: some two hundred factorisations on the nonzero coefficients, and products with all
// columns. The second kink of a row is met as often as the first. A step of the path takes a little less.
double augmented_lagrangian_flops(const Problem& problem, const Sizes& sizes) {
  const double rounds = 0.5 + 0.5 * kinks_of(problem);
  return rounds *
         (105.0 * call_flops + 200.0 * sizes.entries + 220.0 * sizes.rows * sizes.active * sizes.active);
}
constexpr double refits_per_path_step = 0.85;

// Estimated operations of the homotopy for these rows. A walk passes some ten kinks if there are as many rows
// as columns, and more if there are more rows: many where nearly as many rows are pinned as can be, so that
// the fit is a vertex, as of a linear program, and moves from one vertex to the next.
double kink_homotopy_flops(const Problem& problem, const FitSize& fit, double rows) {
  const Sizes sizes = sizes_of(problem, fit.nonzero);
  const double n = sizes.rows;
  const double v = pinned_rows(sizes);
  const auto w =
      static_cast<double>(kink_walk_coordinates(static_cast<Index>(n), static_cast<Index>(sizes.active),
                                                static_cast<Index>(v), static_cast<Index>(rows)));
  const double tableau = v * w * w + v * v * w;
  const double certificates = 140.0 * sizes.entries * std::ceil(rows / 1024.0);  // of some rows
  const double always = 30.0 * call_flops + tableau + certificates;
  const double pinned_share = std::min(fit.degrees_of_freedom / (sizes.columns + 1.0), 1.0);
  const double vertex = n >= sizes.columns ? std::pow(pinned_share, 8) : 0.0;
  const double vertices = 75.0 * vertex * std::pow(kinks_of(problem), 2) * w * v;
  if (w == n) return always + 2.0 * n * n * sizes.columns + rows * (600.0 * n + vertices + 40'000.0);
  const double entries = w * w * sizes.columns + 2.0 * rows * w * (sizes.columns + v);
  return always + entries + rows * (2500.0 * w + vertices + 40'000.0);
}

// A row without a gradient can go without a change: the fit meets the optimality conditions without it, and
// the formula does not move it. That is proved where the fit without the row is unique, which it is if all
// coefficients have a square and a pinned row with room on both sides holds the intercept. Nothing is said of
// the other rows.
std::vector<std::optional<bool>> certify_rows_without_gradient(const Problem& problem, const Fit& fit) {
  std::vector<std::optional<bool>> certified(static_cast<std::size_t>(problem.rows()));
  const auto terms = problem.penalty().separable(problem.columns());
  if (!terms || ((fit.lambda * terms->square + terms->fixed_square).array() <= 0.0).any()) return certified;
  const LocalModel model = local_model(problem, fit);
  if (problem.intercept() && model.pinned.size() <= model.undecided.size()) return certified;
  for (Index i = 0; i < problem.rows(); ++i) {
    const bool is_pinned = std::binary_search(model.pinned.begin(), model.pinned.end(), i);
    if (!is_pinned && model.derivative(i, 0) == 0.0) certified[static_cast<std::size_t>(i)] = true;
  }
  return certified;
}

}  // namespace

ExactLeaveOneOut KinkedMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options,
                                     const Monitor& monitor) const {
  if (!is_ridge(problem)) return Method::exact(problem, fits, rows, options, monitor);
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.walk<KinkHomotopy>();
  return held_out.take();
}

std::vector<std::optional<bool>> KinkedMethod::certify_rows(const Problem& problem, const Fit& fit) const {
  if (!is_ridge(problem)) return certify_rows_without_gradient(problem, fit);
  return KinkHomotopy(problem, {}).certify(fit);
}

double KinkedMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  if (!is_ridge(problem)) {
    const auto of_step = [&](const Sizes& sizes) {
      return refits_per_path_step * augmented_lagrangian_flops(problem, sizes);
    };
    return sum_over_path(problem, nonzero, of_step, [](const Sizes&) { return 0.0; });
  }
  const auto of_fit = [this](const Sizes& sizes) {
    const double n = sizes.rows;
    const double v = pinned_rows(sizes);
    return n * v * v + (has_kernel() ? 32.0 * n * n + 10.0 * sizes.entries : 400.0 * sizes.entries) +
           12'000.0 * n + 12.0 * call_flops;
  };
  const auto of_last = [this](const Sizes& last) {
    return has_kernel() ? 2.0 * last.rows * last.rows * last.columns : 0.0;
  };
  return sum_over_path(problem, nonzero, of_fit, of_last);
}

double KinkedMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  const auto count = static_cast<double>(rows);
  if (is_ridge(problem)) return kink_homotopy_flops(problem, fit, count);
  return 20.0 * call_flops + count * augmented_lagrangian_flops(problem, sizes_of(problem, fit.nonzero));
}

double KinkedMethod::certify_rows_flops(const Problem& problem, Index nonzero) const {
  if (!is_ridge(problem)) return Method::certify_rows_flops(problem, nonzero);
  // The first piece of a walk alone is less than a third of it.
  return kink_homotopy_flops(problem, {nonzero, 0.0}, 0.3 * static_cast<double>(problem.rows()));
}

bool KernelMethod::suits(const Problem& problem, const Vector&) const {
  const Index rows = problem.rows();
  return is_kinked_ridge(problem) &&
         (rows <= few_rows ||
          (rows <= most_kernel_rows && rows <= kernel_rows_per_column * problem.columns()));
}

std::unique_ptr<Solver> KernelMethod::solver(const Problem& problem, const Vector& weights,
                                             const FitOptions& options, Use) const {
  return std::make_unique<KernelFits>(problem, weights, options);
}

bool TallMethod::suits(const Problem& problem, const Vector&) const {
  return is_kinked_ridge(problem) && problem.columns() <= most_tall_columns &&
         problem.rows() >= tall_rows_per_column * problem.columns();
}

std::unique_ptr<Solver> TallMethod::solver(const Problem& problem, const Vector& weights,
                                           const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<TallSolver>>(problem, weights, options);
}

bool AugmentedLagrangianMethod::suits(const Problem& problem, const Vector&) const {
  return problem.loss().has_kinks() && problem.penalty().separable(problem.columns());
}

std::unique_ptr<Solver> AugmentedLagrangianMethod::solver(const Problem& problem, const Vector& weights,
                                                          const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<AugmentedLagrangian>>(problem, weights, options);
}

}  // namespace alo
