// SPDX-License-Identifier: MIT
#include <cmath>

#include "alo/registry.hpp"
#include "alo/risk.hpp"
#include "risk/auc.hpp"
#include "risk/row_metric.hpp"

namespace alo {

namespace {

// The rows with positive weight; others need no prediction.
struct CountedRows {
  CountedRows(const Problem& problem, const LeaveOneOut& held_out) {
    const Dataset& data = problem.data();
    std::vector<Index> rows;
    for (Index i = 0; i < data.weights.size(); ++i) {
      if (data.weights[i] > 0.0) rows.push_back(i);
    }
    response = data.response(rows);
    weights = data.weights(rows);
    removed_share = problem.removed_share()(rows);
    predictor = by_output(held_out.linear_predictor, problem.outputs())(rows, Eigen::all).reshaped();
    counts = data.weight_kind == WeightKind::frequency || (data.weights.array() == 1.0).all();
  }
  static Index undefined(const Vector& predictor, Index outputs) {
    const auto rows = by_output(predictor, outputs);
    Index count = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      if (!rows.row(i).allFinite()) ++count;
    }
    return count;
  }

  Vector response;
  Vector weights;
  Vector removed_share;
  Vector predictor;
  bool counts;  // weights count copies
};

Estimate r_squared(const CountedRows& rows, const Vector& squares) {
  const double center = rows.weights.dot(rows.response) / rows.weights.sum();
  const Vector spread = (rows.response.array() - center).square();
  const double total = rows.weights.dot(spread) / rows.weights.sum();
  if (!(total > 0.0)) return {};
  const double share = rows.weights.dot(squares) / rows.weights.sum() / total;
  // The delta method for a ratio of two means; its influence values have mean zero.
  Estimate estimate = mean_of_rows((squares - share * spread) / total, rows.weights, rows.counts);
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
  const CountedRows rows(problem, held_out);
  Estimate none;
  none.undefined = CountedRows::undefined(rows.predictor, problem.outputs());
  if (none.undefined > 0) return none;
  if (metric == Metric::auc_recentred && problem.intercept()) {
    const auto [scores, tolerance] =
        recentre(problem.loss(), rows.predictor, rows.response, rows.weights, rows.removed_share);
    return area_under_curve(scores, rows.response, rows.weights, rows.counts, tolerance);
  }
  if (metric == Metric::auc || metric == Metric::auc_recentred) {
    return area_under_curve(rows.predictor, rows.response, rows.weights, rows.counts);
  }
  const Vector values = row_metric(metric, problem.loss(), rows.predictor, rows.response);
  if (metric == Metric::r2) return r_squared(rows, values);
  return mean_of_rows(values, rows.weights, rows.counts);
}

Estimate paired_difference(const Problem& problem, Metric metric, const LeaveOneOut& a,
                           const LeaveOneOut& b) {
  const Loss& loss = problem.loss();
  const bool ranks = metric == Metric::auc || metric == Metric::auc_recentred;
  const Metric averaged = ranks ? metrics_of(loss).front() : metric;
  const CountedRows first(problem, a);
  const CountedRows second(problem, b);
  Estimate none;
  none.undefined = CountedRows::undefined(first.predictor + second.predictor, problem.outputs());
  if (none.undefined > 0) return none;
  return mean_of_rows(row_metric(averaged, loss, first.predictor, first.response) -
                          row_metric(averaged, loss, second.predictor, second.response),
                      first.weights, first.counts);
}

}  // namespace alo
