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
  // The second attempt starts from the null fit instead of the solution before.
  std::optional<Fit> retry(const Fit& missed, int attempt) override {
    if (attempt > 2) return std::nullopt;
    NewtonSolver afresh(problem_, weights_);
    return solve_with(afresh, missed.lambda);
  }
};

// Operations of a step, of a factorisation on the active columns, and of computing all slopes. Products with
// a vector count eightfold, because they take that much longer than their operations in a matrix product.
struct NewtonWork {
  double step;
  double factor;
  double look;
};

NewtonWork newton_work(const Problem& problem, const Sizes& sizes) {
  const auto outputs = static_cast<double>(problem.outputs());
  const double n = sizes.rows;
  const double s = std::min(sizes.active, n * outputs);
  return {8.0 * (4.0 * n * s + 2.0 * s * s) + 60.0 * n * outputs + 5000.0, n * s * s + s * s * s / 3.0,
          8.0 * 2.0 * sizes.entries * outputs};
}

}  // namespace

double newton_path_flops(const Problem& problem, std::span<const Index> nonzero) {
  const auto of_fit = [&](const Sizes& sizes) {
    const NewtonWork work = newton_work(problem, sizes);
    return 5.5 * work.step + 2.5 * work.factor + 1.3 * work.look;
  };
  return sum_over_path(problem, nonzero, of_fit, [](const Sizes&) { return 0.0; });
}

// Each row starts from its approximate leave-one-out point and takes about four steps, more where leverages
// are large (s / n on average) and coefficients join or leave. Small factors are computed anew for each row.
double newton_rows_flops(const Problem& problem, Index nonzero, Index rows) {
  const Sizes sizes = sizes_of(problem, nonzero);
  const NewtonWork work = newton_work(problem, sizes);
  const double factors = work.factor < 1.5 * work.step ? work.factor : 0.0;
  const double copies = 16.0 * (sizes.rows * sizes.active + 3.0 * sizes.columns);
  const double leverage = sizes.active / (sizes.rows * static_cast<double>(problem.outputs()));
  const double steps = 5.0 / std::max(1.0 - leverage, 0.01);
  return work.factor + static_cast<double>(rows) * (steps * (work.step + factors) + 0.6 * work.look + copies);
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

double NewtonMethod::exact_flops(const Problem& problem, Index nonzero, Index rows) const {
  return newton_rows_flops(problem, nonzero, rows);
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
    return {std::vector<LeaveOneOut>(fits.size(), nothing_held_out(problem)), false, 0};
  }
  solver.certify(reduced_fits);
  return route(reduced).exact(reduced, reduced_fits, rows, options, monitor);
}

double RowSpaceMethod::path_flops(const Problem& problem, std::span<const Index> nonzero) const {
  return newton_path_flops(problem, nonzero);
}

double RowSpaceMethod::exact_flops(const Problem& problem, Index nonzero, Index rows) const {
  return newton_rows_flops(problem, nonzero, rows);
}

}  // namespace alo
