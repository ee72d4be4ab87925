// SPDX-License-Identifier: MIT
#include "solvers/smooth/methods.hpp"

#include <algorithm>

#include "formula/hat.hpp"
#include "problem/separable.hpp"
#include "solvers/certified_solver.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/lambda_by_lambda.hpp"
#include "solvers/smooth/newton_rows.hpp"
#include "solvers/smooth/newton_solver.hpp"
#include "solvers/smooth/row_space.hpp"

namespace alo {

namespace {

class NewtonFits final : public LambdaByLambda<NewtonSolver> {
 public:
  using LambdaByLambda::LambdaByLambda;
  // The second attempt starts from the null fit instead of the solution before. The third comes down the path
  // from a larger lambda, since other solutions on the way lead to other members of the active set.
  std::optional<Fit> retry(const Fit& missed, int attempt) override {
    if (attempt > 3) return std::nullopt;
    NewtonSolver afresh(problem_, weights_);
    if (attempt == 3 && missed.lambda > 0.0) {
      for (const double factor : {8.0, 4.0, 2.0}) afresh.solve(factor * missed.lambda);
    }
    return solve_with(afresh, missed.lambda);
  }
};

// Operations of a step, of a factorisation on the active columns, and of computing all slopes. Products with
// a vector count eightfold, because they take that much longer than their operations in a matrix product.
// With several outputs every row has as many equations.
struct NewtonWork {
  double step;
  double factor;
  double look;
};

NewtonWork newton_work(const Problem& problem, const Sizes& sizes) {
  const auto outputs = static_cast<double>(problem.outputs());
  const double n = sizes.rows * outputs;
  const double s = std::min(sizes.active, n);
  return {8.0 * (4.0 * n * s + 2.0 * s * s) + 60.0 * n + 3.0 * call_flops * outputs,
          n * s * s + s * s * s / 3.0, 8.0 * 2.0 * sizes.entries * outputs};
}

// Without a row coefficients join or leave where leverages are large, and the factor follows them, or is made
// anew where it is small. A ridge takes some steps with the factor that it has.
double newton_row_flops(const Problem& problem, const Sizes& sizes, const NewtonWork& work) {
  const double copies = 16.0 * (sizes.rows * sizes.active + 3.0 * sizes.columns);
  const double small_factor = work.factor < 1.5 * work.step ? work.factor : 0.0;
  if (is_ridge(problem)) return 4.0 * (work.step + small_factor) + copies;
  constexpr double most_leverage = 0.85;
  const double leverage =
      std::min(sizes.active / (sizes.rows * static_cast<double>(problem.outputs())), most_leverage);
  const double changed = 0.6 * std::min(1.0, 2.0 * leverage) * work.factor;
  return 5.0 / (1.0 - leverage) * (work.step + std::max(small_factor, changed)) + 0.6 * work.look + copies;
}

}  // namespace

double newton_path_flops(const Problem& problem, std::span<const Index> nonzero) {
  const double blocks = problem.outputs() > 1 ? 1.6 : 1.0;  // curvatures are matrices
  const auto of_fit = [&](const Sizes& sizes) {
    const NewtonWork work = newton_work(problem, sizes);
    return blocks * (8.5 * work.step + 2.0 * work.factor + 1.3 * work.look);
  };
  return sum_over_path(problem, nonzero, of_fit, [](const Sizes&) { return 0.0; });
}

// Each row starts from its approximate leave-one-out point.
double newton_rows_flops(const Problem& problem, Index nonzero, Index rows) {
  const Sizes sizes = sizes_of(problem, nonzero);
  const NewtonWork work = newton_work(problem, sizes);
  return 20.0 * call_flops + work.factor + static_cast<double>(rows) * newton_row_flops(problem, sizes, work);
}

bool NewtonMethod::suits(const Problem& problem, const Vector&) const {
  return !problem.loss().is_quadratic() && !problem.loss().has_kinks() &&
         problem.penalty().separable(problem.columns());
}

std::unique_ptr<Solver> NewtonMethod::solver(const Problem& problem, const Vector& weights,
                                             const FitOptions& options, Use) const {
  return std::make_unique<NewtonFits>(problem, weights, options);
}

ExactLeaveOneOut NewtonMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options,
                                     const Monitor& monitor) const {
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.step<NewtonRows>();
  return held_out.take();
}

double NewtonMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return newton_path_flops(problem, nonzero);
}

double NewtonMethod::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  return newton_rows_flops(problem, fit.nonzero, rows);
}

bool RowSpaceMethod::suits(const Problem& problem, const Vector&) const {
  if (problem.loss().is_quadratic() || problem.loss().has_kinks() || !is_ridge(problem)) return false;
  if (problem.columns() <= problem.rows()) return false;
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  // The reduced problem has as many penalised columns as there are rows, so it is never reduced again.
  return (terms.square.array() > 0.0).count() > problem.rows() && (terms.fixed_square.array() == 0.0).all();
}

std::unique_ptr<Solver> RowSpaceMethod::solver(const Problem& problem, const Vector& weights,
                                               const FitOptions& options, Use) const {
  return std::make_unique<LambdaByLambda<RowSpaceSolver>>(problem, weights, options);
}

ExactLeaveOneOut RowSpaceMethod::exact(const Problem& problem, std::span<const Fit> fits,
                                       const std::vector<Index>& rows, const ExactOptions& options,
                                       const Monitor& monitor) const {
  const RowSpace space(problem);
  const Problem& reduced = space.reduced();
  std::vector<double> lambdas;
  for (const Fit& fit : fits) lambdas.push_back(fit.lambda);
  CertifiedSolver solver(reduced, reduced.data().weights, options.fit, Use::path);
  std::vector<Fit> reduced_fits = solver.solve(lambdas, {{}, monitor.should_stop});
  if (reduced_fits.size() < fits.size()) {
    return {std::vector<LeaveOneOut>(fits.size(), nothing_held_out(problem)), false};
  }
  solver.certify(reduced_fits);
  return route(reduced).exact(reduced, reduced_fits, rows, options, monitor);
}

double RowSpaceMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return newton_path_flops(problem, nonzero);
}

// The decomposition of the kernel and a fit from nothing come first; the rows then have as many columns as
// there are rows.
double RowSpaceMethod::exact_flops(const Problem& problem, const FitSize&, Index rows) const {
  const Sizes whole = sizes_of(problem, problem.rows());
  const double n = whole.rows;
  const Sizes reduced{n, n, n * n, n};
  const auto outputs = static_cast<double>(problem.outputs());
  const double first =
      2.0 * n * n * whole.columns + 50.0 * n * n * n * outputs + 160.0 * call_flops * outputs;
  return first +
         static_cast<double>(rows) * newton_row_flops(problem, reduced, newton_work(problem, reduced));
}

}  // namespace alo
