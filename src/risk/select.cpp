// SPDX-License-Identifier: MIT
#include "alo/select.hpp"

#include <cmath>
#include <numeric>

#include "risk/row_metric.hpp"

namespace alo {

namespace {

// Risks that differ by at most this share are equal, for instance on a plateau of several lambdas: a sum of
// n terms has a rounding error of about sqrt(n) 1e-16. At ten times the value nothing changes in practice;
// at a hundredth rounding would choose on a plateau.
constexpr double rounding_share = 1e-13;

// The best of the candidates by a risk in which smaller is better (sign 1) or larger (-1): the first within
// rounding of the best. Candidates without a value count as worst; none when no one has a value.
std::optional<std::size_t> first_best(std::span<const Estimate> risk, double sign,
                                      std::span<const std::size_t> candidates,
                                      std::vector<std::size_t>* equals = nullptr) {
  std::optional<double> lowest;
  for (const std::size_t k : candidates) {
    if (risk[k].mean && (!lowest || sign * *risk[k].mean < *lowest)) lowest = sign * *risk[k].mean;
  }
  if (!lowest) return std::nullopt;
  const double bound = *lowest + rounding_share * std::abs(*lowest);
  std::optional<std::size_t> first;
  for (const std::size_t k : candidates) {
    if (!risk[k].mean || sign * *risk[k].mean > bound) continue;
    if (!first) first = k;
    if (equals != nullptr) equals->push_back(k);
  }
  return first;
}

}  // namespace

std::optional<Choices> choose_on_grid(Metric metric, const std::vector<double>& lambdas,
                                      const std::vector<Estimate>& risk, const TieBreaker& ties) {
  const double sign = sign_of(metric);
  const auto choice = [&](std::size_t k) { return Choice{lambdas[k], static_cast<Index>(k), risk[k]}; };
  std::vector<std::size_t> all(lambdas.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::size_t> equal;
  std::optional<std::size_t> best = first_best(risk, sign, all, &equal);
  if (!best) return std::nullopt;
  if (!ties.risk.empty()) best = first_best(ties.risk, sign_of(ties.metric), equal).value_or(*best);
  const double bound = sign * *risk[*best].mean + risk[*best].se.value_or(0.0);
  std::size_t simplest = 0;
  while (simplest < *best && (!risk[simplest].mean || sign * *risk[simplest].mean > bound)) ++simplest;
  return Choices{choice(*best), choice(simplest)};
}

}  // namespace alo
