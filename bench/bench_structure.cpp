// SPDX-License-Identifier: MIT
// Penalties on more than one coefficient: fits along a path and approximate leave-one-out, on one thread. The
// largest gap of the certificates is shown beside each time.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "structure_cases.hpp"

namespace {

void fit_and_leave_one_out(benchmark::State& state, structure::Case (*make_case)(unsigned)) {
  structure::keep_freed_memory();
  const structure::Case given = make_case(1);
  const std::vector<double> lambdas = given.grid();
  double gap = 0.0;
  for ([[maybe_unused]] auto _ : state) gap = std::max(gap, structure::fit_and_leave_one_out(given, lambdas));
  state.counters["largest_gap"] = gap;
}

BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_signal_1e6, structure::fused_signal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, trend_filter_signal_1e5, structure::trend_signal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, trend_filter_3_signal_1e5, structure::parabolas_signal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_grid_200x200, structure::grid)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, fused_lasso_1000x1000, structure::fused_design)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, slope_500x2000, structure::slope)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, group_lasso_1000x5000, structure::groups)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fit_and_leave_one_out, group_lasso_1000x5000_dense, structure::dense_groups)
    ->Unit(benchmark::kMillisecond);

}  // namespace
