// SPDX-License-Identifier: MIT
// Matrix completion with a nuclear norm on one thread: 1000 x 1000, 100 000 entries of a matrix of rank 10
// with noise. Ten lambdas from the largest one down to where the noise begins, H_jj exactly and from probes
// at the ninth. Beside the times: the largest gap, the rank, the peak of memory, and how far the mean
// held-out loss from probes is from the exact one with the error that it claims.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "alo/losses/squared.hpp"
#include "completion/completion_hat.hpp"
#include "completion/completion_solver.hpp"

namespace {

using alo::Index;

// A square matrix of `side` rows, of rank `rank` plus noise, with this number of observed entries (a
// tenth); a path of `lambdas` values down to smallest_share of the largest, of which number hat_lambda is
// used to time the leverages.
constexpr Index side = 1000;
constexpr Index entries = 100'000;
constexpr Index rank = 10;
constexpr int lambdas = 10;
constexpr int hat_lambda = 8;
constexpr double smallest_share = 0.2;

alo::CompletionData make_data() {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const alo::Matrix left = alo::Matrix::NullaryExpr(side, rank, [&] { return normal(engine); });
  const alo::Matrix right = alo::Matrix::NullaryExpr(side, rank, [&] { return normal(engine); });
  alo::CompletionData data;
  data.rows = data.columns = side;
  data.response.resize(entries);
  data.weight = alo::Vector::Ones(entries);
  data.offset = alo::Vector::Zero(entries);
  std::vector<Index> cells(static_cast<std::size_t>(side * side));
  for (Index k = 0; k < side * side; ++k) cells[static_cast<std::size_t>(k)] = k;
  for (Index j = 0; j < entries; ++j) {
    const auto other = j + static_cast<Index>(engine() % static_cast<std::uint64_t>(side * side - j));
    std::swap(cells[static_cast<std::size_t>(j)], cells[static_cast<std::size_t>(other)]);
    const Index cell = cells[static_cast<std::size_t>(j)];
    data.row.push_back(cell / side);
    data.column.push_back(cell % side);
    data.response[j] = left.row(cell / side).dot(right.row(cell % side)) + normal(engine);
  }
  return data;
}

double lambda_at(const alo::CompletionSolver& solver, int step) {
  return solver.lambda_max() * std::pow(smallest_share, (step + 1.0) / lambdas);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double held_out_loss(const alo::CompletionData& data, const alo::CompletionFit& fit, const alo::Vector& hat) {
  return ((data.response - fit.predictor).array() / (1.0 - hat.array())).square().mean() / 2.0;
}

const alo::CompletionData& data() {
  static const alo::CompletionData result = make_data();
  return result;
}

const alo::CompletionFit& fit() {
  static const alo::CompletionFit result = [] {
    alo::CompletionSolver solver(data(), alo::SquaredLoss{}, false);
    return solver.fit(lambda_at(solver, hat_lambda));
  }();
  return result;
}

double& probed_loss() {
  static double value = 0.0;
  return value;
}

void path(benchmark::State& state) {
  data();
  double gap = 0.0;
  double last_rank = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    alo::CompletionSolver solver(data(), alo::SquaredLoss{}, false);
    for (int k = 0; k < lambdas; ++k) {
      const alo::CompletionFit result = solver.fit(lambda_at(solver, k));
      gap = std::max(gap, result.gap);
      last_rank = static_cast<double>(result.rank());
    }
  }
  state.counters["largest_gap"] = gap;
  state.counters["last_rank"] = last_rank;
  state.counters["peak_MB"] = peak_megabytes();
}

void probed_hat(benchmark::State& state) {
  fit();
  alo::CompletionHat result;
  for ([[maybe_unused]] auto _ : state) {
    result = alo::completion_hat(data(), alo::SquaredLoss{}, false, fit(),
                                 {alo::CompletionHatMethod::probes, 30, 1});
  }
  probed_loss() = held_out_loss(data(), fit(), result.hat);
  state.counters["mean_loss"] = probed_loss();
  state.counters["standard_error"] = result.standard_error;
  state.counters["scatter_bias"] = result.scatter_bias;
  state.counters["peak_MB"] = peak_megabytes();
}

void exact_hat(benchmark::State& state) {
  fit();
  alo::CompletionHat result;
  for ([[maybe_unused]] auto _ : state)
    result = alo::completion_hat(data(), alo::SquaredLoss{}, false, fit(), {});
  const double loss = held_out_loss(data(), fit(), result.hat);
  state.counters["mean_loss"] = loss;
  state.counters["probes_off_by"] = probed_loss() / loss - 1.0;
  state.counters["peak_MB"] = peak_megabytes();
}

BENCHMARK(path)->Unit(benchmark::kMillisecond);
BENCHMARK(probed_hat)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_hat)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
