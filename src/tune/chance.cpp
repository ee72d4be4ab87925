// SPDX-License-Identifier: MIT
#include "tune/chance.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

struct Known {
  std::size_t k;
  double place;   // log lambda
  double height;  // log of the risk
};

std::vector<Known> known_risks(const TuneResult& result) {
  const RiskCurve& curve = result.risk.front();
  std::vector<Known> known;
  for (std::size_t k = 0; k < curve.estimate.size(); ++k) {
    const BestEstimate& risk = curve.estimate[k];
    if (!risk.mean || risk.kind < EstimateKind::sampled || is_poor(risk)) continue;
    const double error = larger_is_better(curve.metric) ? 1.0 - *risk.mean : *risk.mean;
    const double lambda = result.path[k].fit.lambda;
    if (error > 0.0 && lambda > 0.0) known.push_back({k, std::log(lambda), std::log(error)});
  }
  return known;
}

// What is known of the process.
struct Process {
  std::vector<Known> known;  // by falling lambda
  double aim = infinity;
  double variance = 0.0;  // s^2
};

Process process_of(const TuneResult& result) {
  Process process{known_risks(result)};
  const std::vector<Known>& known = process.known;
  const auto steps = static_cast<double>(known.size()) - 1.0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    process.aim = std::min(process.aim, known[i].height - std::log1p(tolerated_share));
    if (i == 0) continue;
    const double step = known[i].height - known[i - 1].height;
    process.variance += step * step / (known[i - 1].place - known[i].place) / steps;
  }
  return process;
}

// That the process comes down to the aim between two known values.
double chance_between(const Process& process, const Known& first, const Known& last) {
  const double length = first.place - last.place;
  const double heights = (first.height - process.aim) * (last.height - process.aim);
  return process.variance > 0.0 ? std::exp(-2.0 * heights / (process.variance * length)) : 0.0;
}

// That it does so from an outermost known value on, within a length of log lambda.
double chance_beyond(const Process& process, const Known& outermost, double length) {
  return std::erfc((outermost.height - process.aim) / std::sqrt(2.0 * process.variance * length));
}

}  // namespace

std::vector<Gap> gaps_of_path(const TuneResult& result) {
  const Process process = process_of(result);
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < process.known.size(); ++i) {
    const Known& first = process.known[i - 1];
    const Known& last = process.known[i];
    if (last.k - first.k < 2) continue;
    const double a = first.height - process.aim;
    const double b = last.height - process.aim;
    const double length = first.place - last.place;
    gaps.push_back(
        {first.k, last.k, chance_between(process, first, last), first.place - length * a / (a + b)});
  }
  return gaps;
}

double chance_of_better(const TuneResult& result, std::size_t k) {
  const Process process = process_of(result);
  const std::vector<Known>& known = process.known;
  if (known.size() < 3) return 1.0;
  const double place = std::log(result.path[k].fit.lambda);
  const auto below = std::find_if(known.begin(), known.end(), [&](const Known& at) { return at.k >= k; });
  if (below == known.begin()) return chance_beyond(process, *below, place - below->place);
  if (below == known.end()) return chance_beyond(process, known.back(), known.back().place - place);
  return chance_between(process, *(below - 1), *below);
}

}  // namespace alo
