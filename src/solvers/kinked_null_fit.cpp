// SPDX-License-Identifier: MIT
#include "solvers/kinked_null_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace alo {

namespace {

constexpr double rounding = 1e-12;

// A kink of a row as the intercept meets it, and how much its slope rises there.
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

// Where the sum of slopes passes zero.
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

}  // namespace

NullFit kinked_null_fit(const Problem& problem, const Vector& weights) {
  const Vector& response = problem.data().response;
  const Kinks kinks = problem.loss().kinks(response);
  NullFit fit;
  fit.linear_predictor = problem.data().offset;
  fit.gradient = Vector(problem.rows());
  if (!problem.intercept()) {
    fit.gradient = weights.cwiseProduct(problem.loss().derivative(fit.linear_predictor, response));
    return fit;
  }
  const std::vector<Bend> bends = sorted_bends(kinks, weights, problem.data().offset);
  const double intercept = best_intercept(bends, weights.dot(kinks.slope.col(0)));
  fit.linear_predictor.array() += intercept;
  // Rows at a kink: between the slopes beside it, the same share of the way for all.
  Vector low(problem.rows());
  Vector high(problem.rows());
  for (Index i = 0; i < problem.rows(); ++i) {
    Index left = 0;   // kinks before the prediction
    Index right = 0;  // and those up to it
    for (Index k = 0; k < kinks.position.cols(); ++k) {
      left += kinks.position(i, k) - problem.data().offset[i] < intercept ? 1 : 0;
      right += kinks.position(i, k) - problem.data().offset[i] <= intercept ? 1 : 0;
    }
    low[i] = weights[i] * kinks.slope(i, left);
    high[i] = weights[i] * kinks.slope(i, right);
  }
  const double width = high.sum() - low.sum();
  const double share = width > 0.0 ? std::clamp(-low.sum() / width, 0.0, 1.0) : 0.0;
  fit.gradient = low + share * (high - low);
  return fit;
}

}  // namespace alo
