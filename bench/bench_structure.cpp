// SPDX-License-Identifier: MIT
// Penalties on more than one coefficient: fits along a path and approximate leave-one-out, on one thread. The
// largest gap of the certificates is shown beside each time.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/slope.hpp"

namespace {

using alo::Index;
using alo::Problem;

struct Case {
  Problem problem;
  int lambdas;
  double ratio;  // of the smallest lambda to the largest
};

alo::Vector normals(Index count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  return alo::Vector::NullaryExpr(count, [&] { return normal(engine); });
}

// A level of its own, of standard deviation 3, for every fiftieth of the rows, and noise of variance one.
Problem signal(Index rows, alo::Penalty penalty) {
  alo::Vector response = normals(rows, 1);
  const alo::Vector levels = 3.0 * normals(50, 2);
  for (Index i = 0; i < rows; ++i) response[i] += levels[i * 50 / rows];
  alo::SparseMatrix identity(rows, rows);
  identity.setIdentity();
  return {alo::make_dataset(alo::Design(identity), std::move(response)),
          alo::SquaredLoss{},
          std::move(penalty),
          {false, false}};
}

Case fused_signal() {
  const Index rows = 1'000'000;
  return {signal(rows, alo::GeneralizedLasso::differences(rows, 1, "fused-lasso")), 50, 1e-4};
}

Case trend_signal() {
  const Index rows = 100'000;
  return {signal(rows, alo::GeneralizedLasso::differences(rows, 2, "trend-filter")), 30, 1e-6};
}

// 200 x 200 nodes, each joined to its neighbours.
Case grid() {
  const Index side = 200;
  std::vector<std::pair<Index, Index>> edges;
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      if (j + 1 < side) edges.emplace_back(i * side + j, i * side + j + 1);
      if (i + 1 < side) edges.emplace_back(i * side + j, (i + 1) * side + j);
    }
  }
  return {signal(side * side, alo::GeneralizedLasso::on_graph(side * side, edges)), 1, 0.02};
}

// Independent normal columns, noise of variance one.
Problem regression(Index rows, const alo::Vector& coefficients, alo::Penalty penalty) {
  const Index columns = coefficients.size();
  alo::Matrix values = normals(rows * columns, 3).reshaped(rows, columns);
  alo::Vector response = values * coefficients + normals(rows, 4);
  return {alo::make_dataset(alo::Design(std::move(values)), std::move(response)),
          alo::SquaredLoss{},
          std::move(penalty),
          {false, false}};
}

Case fused_design() {
  const Index columns = 1000;
  const alo::Vector levels = normals(20, 5);
  const alo::Vector coefficients =
      alo::Vector::NullaryExpr(columns, [&](Index j) { return levels[j * 20 / columns]; });
  return {regression(1000, coefficients, alo::GeneralizedLasso::differences(columns, 1, "fused-lasso")), 50,
          1e-3};
}

Case slope() {
  alo::Vector coefficients = alo::Vector::Zero(2000);
  coefficients.head(50).setConstant(1.0);
  return {regression(500, coefficients, alo::Slope(alo::benjamini_hochberg_sequence(2000, 0.1))), 20, 0.05};
}

Case groups() {
  const Index columns = 5000;
  std::vector<Index> group(columns);
  for (Index j = 0; j < columns; ++j) group[static_cast<std::size_t>(j)] = j / 10;
  alo::Vector coefficients = alo::Vector::Zero(columns);
  coefficients.head(200) = normals(200, 6);
  return {regression(1000, coefficients, alo::GroupLasso(group)), 50, 0.1};
}

void fit_and_leave_one_out(benchmark::State& state, Case (*make_case)()) {
  // As the command does: freed memory is kept, or fresh pages take more time than the fits of long signals.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const Case given = make_case();
  const double start = alo::lambda_start(given.problem);
  std::vector<double> lambdas;
  for (int k = 1; k <= given.lambdas; ++k) {
    lambdas.push_back(start * std::pow(given.ratio, static_cast<double>(k) / given.lambdas));
  }
  alo::FitOptions options;
  options.carry_hat = true;
  double gap = 0.0;
  for (auto _ : state) {
    alo::PathSolver solver(given.problem, options);
    for (std::size_t first = 0; first < lambdas.size(); first += 10) {
      const std::size_t count = std::min<std::size_t>(10, lambdas.size() - first);
      for (const alo::Fit& fit : solver.fit(std::span(lambdas).subspan(first, count))) {
        benchmark::DoNotOptimize(alo::approximate_leave_one_out(given.problem, fit));
        gap = std::max(gap, fit.certificate.gap.value_or(1.0));
      }
    }
  }
  state.counters["largest_gap"] = gap;
}

BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_signal_1e6, fused_signal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, trend_filter_signal_1e5, trend_signal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_grid_200x200, grid)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_1000x1000, fused_design)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, slope_500x2000, slope)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, group_lasso_1000x5000, groups)->Unit(benchmark::kMillisecond);

}  // namespace
