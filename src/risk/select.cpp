// SPDX-License-Identifier: MIT
#include "alo/select.hpp"

#include <cmath>

namespace alo {

namespace {

// Risks that differ by at most this share are equal, for instance on a plateau of several lambdas: a sum of
// n terms has a rounding error of about sqrt(n) 1e-16. At ten times the value nothing changes in practice;
// at a hundredth rounding would choose on a plateau.
constexpr double rounding_share = 1e-13;

}  // namespace

std::optional<Choices> choose_on_grid(Metric metric, const std::vector<double>& lambdas,
                                      const std::vector<Estimate>& risk) {
  const double sign = larger_is_better(metric) ? -1.0 : 1.0;
  const auto choice = [&](std::size_t k) { return Choice{lambdas[k], static_cast<Index>(k), risk[k]}; };
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    if (risk[k].mean && (!best || sign * *risk[k].mean < sign * *risk[*best].mean)) best = k;
  }
  if (!best) return std::nullopt;
  const double lowest = sign * *risk[*best].mean;
  const double equal = lowest + rounding_share * std::abs(lowest);
  best = 0;
  while (!risk[*best].mean || sign * *risk[*best].mean > equal) ++*best;
  const double bound = sign * *risk[*best].mean + risk[*best].se.value_or(0.0);
  std::size_t simplest = 0;
  while (!risk[simplest].mean || sign * *risk[simplest].mean > bound) ++simplest;
  return Choices{choice(*best), choice(simplest)};
}

}  // namespace alo
