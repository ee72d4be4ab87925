// SPDX-License-Identifier: MIT
// A lasso path of 100 lambdas, and approximate leave-one-out along it, each on one thread.
#include <benchmark/benchmark.h>

#include <random>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/read.hpp"

namespace {

// The diabetes data with quadratic effects, 442 x 64.
alo::Problem diabetes() {
  return {alo::read_dataset(ALO_SOURCE_DIR "/examples/diabetes_quadratic.csv"), alo::SquaredLoss{},
          alo::Lasso{}};
}

// n = p = 800, independent normal columns, 40 effects of size one, noise of variance one.
alo::Problem square() {
  const alo::Index size = 800;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  alo::Matrix values = alo::Matrix::NullaryExpr(size, size, [&] { return normal(engine); });
  alo::Vector response = values.leftCols(40).rowwise().sum();
  response += alo::Vector::NullaryExpr(size, [&] { return normal(engine); });
  return {alo::make_dataset(alo::Design(std::move(values)), std::move(response)), alo::SquaredLoss{},
          alo::Lasso{}};
}

void fit(benchmark::State& state, alo::Problem (*make_problem)()) {
  const alo::Problem problem = make_problem();
  const std::vector<double> lambdas = alo::lambda_grid(problem);
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(alo::fit_path(problem, lambdas));
  }
}

// The same path with leverages carried along, and the held-out predictions from them.
void fit_and_leave_one_out(benchmark::State& state, alo::Problem (*make_problem)()) {
  const alo::Problem problem = make_problem();
  const std::vector<double> lambdas = alo::lambda_grid(problem);
  alo::FitOptions options;
  options.carry_hat = true;
  for ([[maybe_unused]] auto _ : state) {
    const alo::Path path = alo::fit_path(problem, lambdas, options);
    for (const alo::Fit& fit : path.fits) {
      benchmark::DoNotOptimize(alo::approximate_leave_one_out(problem, fit));
    }
  }
}

BENCHMARK_CAPTURE(fit, lasso_442x64, diabetes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, lasso_442x64, diabetes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit, lasso_800x800, square)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, lasso_800x800, square)->Unit(benchmark::kMillisecond);

}  // namespace
