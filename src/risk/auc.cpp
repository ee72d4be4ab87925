// SPDX-License-Identifier: MIT
#include "risk/auc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "risk/row_metric.hpp"

namespace alo {

namespace {

// V of every row: one pass over the rows in the order of their scores, a block of ties at a time.
Vector placements(const Vector& scores, const Vector& response, const Vector& weights, double positive,
                  double negative) {
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores[a] < scores[b]; });
  Vector result(scores.size());
  double positive_below = 0.0;
  double negative_below = 0.0;
  for (std::size_t start = 0; start < order.size();) {
    std::size_t end = start;
    double positive_tied = 0.0;
    double negative_tied = 0.0;
    for (; end < order.size() && scores[order[end]] == scores[order[start]]; ++end) {
      (response[order[end]] > 0.0 ? positive_tied : negative_tied) += weights[order[end]];
    }
    for (; start < end; ++start) {
      const Index i = order[start];
      result[i] = response[i] > 0.0 ? (negative_below + 0.5 * negative_tied) / negative
                                    : 1.0 - (positive_below + 0.5 * positive_tied) / positive;
    }
    positive_below += positive_tied;
    negative_below += negative_tied;
  }
  return result;
}

}  // namespace

Estimate area_under_curve(const Vector& scores, const Vector& response, const Vector& weights, bool counts) {
  const Vector above = (response.array() > 0.0).select(weights, 0.0);
  const Vector below = weights - above;
  const double positive = above.sum();
  const double negative = below.sum();
  if (!(positive > 0.0 && negative > 0.0)) return {};
  const Vector share = placements(scores, response, weights, positive, negative);
  Estimate estimate = mean_of_rows(share, above, counts);
  const Estimate other = mean_of_rows(share, below, counts);
  if (estimate.se && other.se) {
    estimate.se = std::hypot(*estimate.se, *other.se);
  } else {
    estimate.se.reset();
  }
  return estimate;
}

}  // namespace alo
