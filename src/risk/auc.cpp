// SPDX-License-Identifier: MIT
#include "risk/auc.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "risk/row_metric.hpp"

namespace alo {

namespace {

// The rows of one class in the order of their scores.
class Ranked {
 public:
  Ranked(const Vector& scores, const Vector& weights) {
    std::vector<Index> order;
    for (Index i = 0; i < scores.size(); ++i) {
      if (weights[i] > 0.0) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores[a] < scores[b]; });
    for (const Index i : order) {
      scores_.push_back(scores[i]);
      below_.push_back(below_.back() + weights[i]);
    }
  }
  double total() const { return below_.back(); }
  // The share of the weight below a score; ties count half.
  double share_below(double score, double tolerance) const {
    const auto first = std::lower_bound(scores_.begin(), scores_.end(), score - tolerance);
    const auto last = std::upper_bound(first, scores_.end(), score + tolerance);
    const auto weight_before = [&](auto place) {
      return below_[static_cast<std::size_t>(place - scores_.begin())];
    };
    return 0.5 * (weight_before(first) + weight_before(last)) / total();
  }

 private:
  std::vector<double> scores_;
  std::vector<double> below_ = {0.0};
};

}  // namespace

Estimate area_under_curve(const Vector& scores, const Vector& response, const Vector& weights, bool counts,
                          double tolerance) {
  const Vector above = (response.array() > 0.0).select(weights, 0.0);
  const Vector below = weights - above;
  const Ranked positive(scores, above);
  const Ranked negative(scores, below);
  if (!(positive.total() > 0.0 && negative.total() > 0.0)) return {};
  const Vector share = Vector::NullaryExpr(scores.size(), [&](Index i) {
    return response[i] > 0.0 ? negative.share_below(scores[i], tolerance)
                             : 1.0 - positive.share_below(scores[i], tolerance);
  });
  Estimate estimate = mean_of_rows(share, above, counts);
  const Estimate other = mean_of_rows(share, below, counts);
  if (estimate.se && other.se) {
    estimate.se = std::hypot(*estimate.se, *other.se);
  } else {
    estimate.se.reset();
  }
  return estimate;
}

Recentred recentre(const Loss& loss, const Vector& predictor, const Vector& response, const Vector& weights,
                   const Vector& removed_share) {
  const LossValues values = loss.evaluate(predictor, response);
  const double curvature = weights.dot(values.curvature);
  if (!(curvature > 0.0)) return {predictor, 0.0};
  const Vector moves = removed_share.cwiseProduct(weights).cwiseProduct(values.derivative) / curvature;
  return {predictor - moves, moves.cwiseAbs2().maxCoeff()};
}

}  // namespace alo
