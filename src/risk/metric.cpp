// SPDX-License-Identifier: MIT
#include <cmath>

#include "alo/registry.hpp"
#include "alo/risk.hpp"
#include "linalg/row_pass.hpp"
#include "risk/auc.hpp"
#include "risk/row_metric.hpp"

namespace alo {

namespace {

// The rows with positive weight; others need no prediction. Where every row has one, they are used in place.
class CountedRows {
 public:
  explicit CountedRows(const Problem& problem) : problem_(problem), data_(problem.data()) {
    all_ = (data_.weights.array() > 0.0).all();
    counts_ = data_.weight_kind == WeightKind::frequency || (data_.weights.array() == 1.0).all();
    if (all_) return;
    for (Index i = 0; i < data_.weights.size(); ++i) {
      if (data_.weights[i] > 0.0) rows_.push_back(i);
    }
    response_ = data_.response(rows_);
    weights_ = data_.weights(rows_);
  }

  const Vector& response() const { return all_ ? data_.response : response_; }
  const Vector& weights() const { return all_ ? data_.weights : weights_; }
  bool counts() const { return counts_; }  // weights count copies
  Vector removed_share() const {
    const Vector share = problem_.removed_share();
    return all_ ? share : Vector(share(rows_));
  }
  // The held-out predictors of these rows.
  VectorView predictor(const LeaveOneOut& held_out, Vector& storage) const {
    if (all_) return held_out.linear_predictor;
    storage = by_output(held_out.linear_predictor, problem_.outputs())(rows_, Eigen::all).reshaped();
    return storage;
  }
  Index undefined(const VectorView& predictor) const {
    if (predictor.allFinite()) return 0;
    const auto rows = predictor.reshaped(response().size(), problem_.outputs());
    Index count = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      if (!rows.row(i).allFinite()) ++count;
    }
    return count;
  }
  // The values that a metric averages. With one output they are computed for some rows at a time, whose
  // intermediate results stay in the cache; any block between 500 and 10,000 rows serves.
  Vector values(Metric metric, const VectorView& predictor) const {
    constexpr Index at_once = 2048;
    const Loss& loss = problem_.loss();
    if (problem_.outputs() > 1) return row_metric(metric, loss, predictor, response());
    Vector result(predictor.size());
    for_each_row_block(result.size(), at_once, [&](const RowBlock& rows) {
      result.segment(rows.first, rows.count) =
          row_metric(metric, loss, predictor.segment(rows.first, rows.count),
                     response().segment(rows.first, rows.count));
    });
    return result;
  }

 private:
  const Problem& problem_;
  const Dataset& data_;
  bool all_ = true;
  bool counts_ = true;
  std::vector<Index> rows_;
  Vector response_;
  Vector weights_;
};

Estimate r_squared(const CountedRows& rows, const Vector& squares) {
  const Vector& weights = rows.weights();
  const double center = weights.dot(rows.response()) / weights.sum();
  const Vector spread = (rows.response().array() - center).square();
  const double total = weights.dot(spread) / weights.sum();
  if (!(total > 0.0)) return {};
  const double share = weights.dot(squares) / weights.sum() / total;
  // The delta method for a ratio of two means; its influence values have mean zero.
  Estimate estimate = mean_of_rows((squares - share * spread) / total, weights, rows.counts());
  estimate.mean = 1.0 - share;
  return estimate;
}

}  // namespace

std::string_view to_string(EstimateKind kind) {
  switch (kind) {
    case EstimateKind::alo:
      return "alo";
    case EstimateKind::corrected:
      return "corrected";
    case EstimateKind::repaired:
      return "repaired";
    case EstimateKind::sampled:
      return "sampled";
    case EstimateKind::exact:
      break;
  }
  return "exact";
}

Estimate estimate_risk(const Problem& problem, Metric metric, const LeaveOneOut& held_out) {
  const CountedRows rows(problem);
  Vector storage;
  const VectorView predictor = rows.predictor(held_out, storage);
  Estimate none;
  none.undefined = rows.undefined(predictor);
  if (none.undefined > 0) return none;
  if (metric == Metric::auc_recentred && problem.intercept()) {
    const auto [scores, tolerance] =
        recentre(problem.loss(), predictor, rows.response(), rows.weights(), rows.removed_share());
    return area_under_curve(scores, rows.response(), rows.weights(), rows.counts(), tolerance);
  }
  if (metric == Metric::auc || metric == Metric::auc_recentred) {
    return area_under_curve(predictor, rows.response(), rows.weights(), rows.counts());
  }
  const Vector values = rows.values(metric, predictor);
  if (metric == Metric::r2) return r_squared(rows, values);
  return mean_of_rows(values, rows.weights(), rows.counts());
}

Estimate paired_difference(const Problem& problem, Metric metric, const LeaveOneOut& a,
                           const LeaveOneOut& b) {
  const Loss& loss = problem.loss();
  const bool ranks = metric == Metric::auc || metric == Metric::auc_recentred;
  const Metric averaged = ranks ? metrics_of(loss).front() : metric;
  const CountedRows rows(problem);
  Vector of_first;
  Vector of_second;
  const VectorView first = rows.predictor(a, of_first);
  const VectorView second = rows.predictor(b, of_second);
  Estimate none;
  if (!first.allFinite() || !second.allFinite()) none.undefined = rows.undefined(first + second);
  if (none.undefined > 0) return none;
  Vector difference = rows.values(averaged, first);
  difference -= rows.values(averaged, second);
  return mean_of_rows(difference, rows.weights(), rows.counts());
}

}  // namespace alo
