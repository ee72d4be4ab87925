// SPDX-License-Identifier: MIT
#include "certificate/kinked_null_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "certificate/kink_simplex.hpp"

namespace alo {

namespace {

// A sum of slopes is zero below this share of the first one, which is the sum of the slopes of all rows to
// the left of their kinks: the sums are of some 1e5 terms, of which rounding leaves 1e-14 or so. At ten times
// it a row with that share of all weights could not decide which of two kinks is best.
constexpr double rounding = 1e-12;

// The intercept at which a row reaches a kink, and the rise of its slope there, weights included.
struct Bend {
  double at;
  double rise;
};

std::vector<Bend> sorted_bends(const Kinks& kinks, const Vector& weights, const Vector& offset) {
  std::vector<Bend> bends;
  for (Index i = 0; i < weights.size(); ++i) {
    for (Index k = 0; k < kinks.position.cols(); ++k) {
      const double rise = weights[i] * (kinks.slope(i, k + 1) - kinks.slope(i, k));
      if (rise > 0.0) bends.push_back({kinks.position(i, k) - offset[i], rise});
    }
  }
  std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.at < b.at; });
  return bends;
}

// The intercept at which the sum of slopes passes zero.
double best_intercept(const std::vector<Bend>& bends, double slope) {
  if (bends.empty()) return 0.0;
  const double negligible = rounding * std::abs(slope);
  for (std::size_t k = 0; k < bends.size(); ++k) {
    if (slope >= -negligible) return k == 0 ? bends[0].at : 0.5 * (bends[k - 1].at + bends[k].at);
    slope += bends[k].rise;
    if (slope > negligible) return bends[k].at;
  }
  return bends.back().at;
}

// Predictions and the slopes beside them, weights included, which are equal unless the prediction is a kink.
// A prediction that is a kink up to rounding is set to it exactly.
struct SlopesBeside {
  Vector predictor, low, high;
};

SlopesBeside slopes_beside(const Kinks& kinks, const Vector& weights, const Vector& offset,
                           double intercept) {
  SlopesBeside beside{offset.array() + intercept, Vector(weights.size()), Vector(weights.size())};
  for (Index i = 0; i < weights.size(); ++i) {
    Index left = 0;   // kinks before the prediction
    Index right = 0;  // and those up to it
    for (Index k = 0; k < kinks.position.cols(); ++k) {
      left += kinks.position(i, k) - offset[i] < intercept ? 1 : 0;
      right += kinks.position(i, k) - offset[i] <= intercept ? 1 : 0;
    }
    if (left < right) beside.predictor[i] = kinks.position(i, left);
    beside.low[i] = weights[i] * kinks.slope(i, left);
    beside.high[i] = weights[i] * kinks.slope(i, right);
  }
  return beside;
}

NullFit with_intercept(const Problem& problem, const Vector& weights) {
  const Vector& offset = problem.data().offset;
  const Kinks kinks = problem.loss().kinks(problem.data().response);
  const double first_slope = weights.dot(kinks.slope.col(0));
  const double intercept = best_intercept(sorted_bends(kinks, weights, offset), first_slope);
  const SlopesBeside beside = slopes_beside(kinks, weights, offset, intercept);
  const double width = (beside.high - beside.low).sum();
  const double share = width > 0.0 ? std::clamp(-beside.low.sum() / width, 0.0, 1.0) : 0.0;
  return {beside.predictor, beside.low + share * (beside.high - beside.low), true};
}

}  // namespace

NullFit kinked_null_fit(const UnpenalizedPart& free) {
  const Problem& problem = free.problem();
  const Vector& offset = problem.data().offset;
  const Vector& response = problem.data().response;
  // Columns of zeros and multiples of the intercept are no directions of their own.
  const Index directions = free.basis().cols();
  if (directions == 0) {
    return {offset, free.weights().cwiseProduct(problem.loss().derivative(offset, response)), true};
  }
  if (problem.intercept() && directions == 1) return with_intercept(problem, free.weights());
  KinkMinimum found =
      minimum_between_kinks(problem.loss().kinks(response), free.weights(), offset, free.basis());
  return {std::move(found.linear_predictor), std::move(found.gradient), true};
}

}  // namespace alo
