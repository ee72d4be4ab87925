// SPDX-License-Identifier: MIT
// Fits along a path with approximate leave-one-out beside accelerated proximal gradient steps with the exact
// prox, fits only, in turn on the same data, one thread. A time is the median CPU time of five calls, for
// both alike; ratios are medians over the seeds. The gaps are the largest along the path, of both by one
// certificate.
//
//   structure_table [SEEDS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../structure_cases.hpp"
#include "alo/fit.hpp"
#include "alo/penalties/slope.hpp"
#include "machine.hpp"
#include "proximal_gradient.hpp"
#include "stopwatch.hpp"

namespace {

// The gap to which the other method is run, relative to the null fit, near that of the fits here; and the
// number of calls, of which the fastest counts.
constexpr double wanted_gap = 1e-9;
constexpr int calls = 5;

struct Comparison {
  const char* name;
  structure::Case (*make_case)(unsigned);
  compare::Norm norm;
  double aim;  // the ratio of times to reach
};

double largest_gap(const alo::Problem& problem, const std::vector<double>& lambdas,
                   const std::vector<alo::Vector>& coefficients) {
  const alo::Certifier certifier(problem);
  double largest = 0.0;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const auto certificate = certifier.certify(alo::Vector::Zero(1), coefficients[k], lambdas[k]);
    largest = std::max(largest, certificate.gap.value_or(1.0));
  }
  return largest;
}

template <class Call>
double processor_seconds_of(const Call& call) {
  const double start = compare::processor_seconds();
  call();
  return compare::processor_seconds() - start;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The ratio of the times of the two methods.
double compare_once(const Comparison& comparison, unsigned seed) {
  const structure::Case given = comparison.make_case(seed);
  const std::vector<double> lambdas = given.grid();
  const alo::Matrix& design = given.problem.data().design.dense_values();
  const alo::Vector& response = given.problem.data().response;
  std::vector<double> own_times;
  std::vector<double> peer_times;
  double gap = 0.0;
  compare::ProximalPath path;
  for (int call = 0; call < calls; ++call) {
    own_times.push_back(
        processor_seconds_of([&] { gap = structure::fit_and_leave_one_out(given, lambdas); }));
    peer_times.push_back(processor_seconds_of(
        [&] { path = compare::proximal_gradient(design, response, comparison.norm, lambdas, wanted_gap); }));
  }
  const double own = median(own_times);
  const double peer = median(peer_times);
  const double peer_gap = largest_gap(given.problem, lambdas, path.coefficients);
  std::printf(
      "%-22s seed %u  alo %6.0f ms (gap %.0e)  proximal gradient %6.0f ms (gap %.0e, %d steps)  %.3f\n",
      comparison.name, seed, 1e3 * own, gap, 1e3 * peer, peer_gap, path.steps, own / peer);
  return own / peer;
}

void compare_over_seeds(const Comparison& comparison, unsigned seeds) {
  std::vector<double> ratios;
  for (unsigned seed = 1; seed <= seeds; ++seed) ratios.push_back(compare_once(comparison, seed));
  std::sort(ratios.begin(), ratios.end());
  std::printf("%-22s ratio %.2f (%.2f .. %.2f), aim %.2f\n", comparison.name, ratios[ratios.size() / 2],
              ratios.front(), ratios.back(), comparison.aim);
}

}  // namespace

int main(int count, char** words) {
  const int seeds = count > 1 ? std::atoi(words[1]) : 5;
  if (count > 2 || seeds < 1) {
    std::fprintf(stderr, "usage: structure_table [SEEDS]\n");
    return 2;
  }
  structure::keep_freed_memory();
  std::printf("dgemm: %.0f GFlop/s\n", compare::dgemm_rate(1000));
  const alo::Vector sequence = alo::benjamini_hochberg_sequence(2000, 0.1);
  compare_over_seeds({"fused lasso 1000x1000", structure::fused_design, compare::fused_norm(), 0.25},
                     static_cast<unsigned>(seeds));
  compare_over_seeds({"SLOPE 500x2000", structure::slope, compare::slope_norm(sequence), 0.5},
                     static_cast<unsigned>(seeds));
  return 0;
}
