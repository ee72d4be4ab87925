// SPDX-License-Identifier: MIT
// Risks between lambdas at which better ones are known.
#include <algorithm>
#include <array>
#include <cmath>

#include "risk/row_metric.hpp"
#include "tune/evidence.hpp"

namespace alo {

namespace {

// Where a lambda lies between two others, from 0 to 1, in log lambda.
double place_between(double lambda, double from, double to) {
  return std::log(lambda / from) / std::log(to / from);
}

// A value known at two places, between them: geometrically where both are positive, else linearly.
double between(double from, double to, double place) {
  if (from > 0.0 && to > 0.0) return from * std::pow(to / from, place);
  return from + place * (to - from);
}

// The approximate risk between two lambdas with better ones, times the ratio of the better to the approximate
// risk there, interpolated; plus the difference where risks are not positive.
Estimate corrected(const Estimate& alo, const std::array<const Estimate*, 2>& alo_at,
                   const std::array<const Estimate*, 2>& better, double place) {
  const double above = *better[0]->mean;
  const double below = *better[1]->mean;
  const bool positive = std::min({above, below, *alo_at[0]->mean, *alo_at[1]->mean, *alo.mean}) > 0.0;
  if (!positive) {
    const double shift = (1.0 - place) * (above - *alo_at[0]->mean) + place * (below - *alo_at[1]->mean);
    return {*alo.mean + shift, alo.se, 0};
  }
  const double ratio = between(above / *alo_at[0]->mean, below / *alo_at[1]->mean, place);
  return {*alo.mean * ratio, ratio * alo.se.value_or(0.0), 0};
}

}  // namespace

void ExactEvidence::interpolate() {
  std::vector<Index> known;
  for (Index k = 0; k < size(); ++k) {
    const bool is_known = at(k).kind == EstimateKind::exact || at(k).kind == EstimateKind::sampled;
    if (is_known && at(k).mean && result_.path[index(k)].fit.lambda > 0.0) known.push_back(k);
  }
  for (std::size_t a = 0; a + 1 < known.size(); ++a) {
    for (Index k = known[a] + 1; k < known[a + 1]; ++k) correct(k, known[a], known[a + 1]);
  }
}

void ExactEvidence::correct(Index k, Index above, Index below) {
  const EstimateKind kind = at(k).kind;
  if (kind != EstimateKind::alo && kind != EstimateKind::corrected) return;
  const auto lambda = [&](Index at) { return result_.path[index(at)].fit.lambda; };
  const double place = place_between(lambda(k), lambda(above), lambda(below));
  for (RiskCurve& curve : result_.risk) {
    const Estimate& high = curve.estimate[index(above)];
    const Estimate& low = curve.estimate[index(below)];
    const std::array<const Estimate*, 2> alo_at = {&curve.alo[index(above)], &curve.alo[index(below)]};
    const Estimate& alo = curve.alo[index(k)];
    // Where the formula is in doubt its ratio to the exact risk jumps from lambda to lambda, and the exact
    // risk does not.
    const bool has_ratio = !is_doubtful(k) && alo.mean && alo_at[0]->mean && alo_at[1]->mean;
    const Estimate risk = has_ratio
                              ? corrected(alo, alo_at, {&high, &low}, place)
                              : Estimate{between(*high.mean, *low.mean, place),
                                         between(high.se.value_or(0.0), low.se.value_or(0.0), place), 0};
    curve.estimate[index(k)] = {risk, EstimateKind::corrected, std::nullopt};
  }
  looks_[index(k)] = sign_of(result_.risk.front().metric) * *at(k).mean;
}

}  // namespace alo
