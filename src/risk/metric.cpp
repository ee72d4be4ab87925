// SPDX-License-Identifier: MIT
#include <cmath>

#include "alo/risk.hpp"

namespace alo {

namespace {

// Mean of per-row values and its standard error under the problem's weights.
Estimate weighted_mean(const Dataset& data, const Vector& values) {
  const Vector& weights = data.weights;
  const double total = weights.sum();
  const double mean = weights.dot(values) / total;
  const Vector squares = (values.array() - mean).square();
  Estimate estimate;
  estimate.mean = mean;
  if (data.weight_kind == WeightKind::frequency || (weights.array() == 1.0).all()) {
    // Copies of a row count as rows.
    if (total > 1.0) estimate.se = std::sqrt(weights.dot(squares) / (total - 1.0) / total);
  } else if ((weights.array() > 0.0).count() > 1) {
    estimate.se = std::sqrt(weights.cwiseAbs2().dot(squares)) / total;
  }
  return estimate;
}

Estimate r_squared(const Dataset& data, const Vector& residual) {
  const double center = data.weights.dot(data.response) / data.weights.sum();
  const Vector spread = (data.response.array() - center).square();
  const double total = data.weights.dot(spread) / data.weights.sum();
  if (!(total > 0.0)) return {};
  const Vector squares = residual.cwiseAbs2();
  const double share = data.weights.dot(squares) / data.weights.sum() / total;
  // Delta method for the ratio of two means: its influence values have mean zero.
  Estimate estimate = weighted_mean(data, (squares - share * spread) / total);
  estimate.mean = 1.0 - share;
  return estimate;
}

// The Fenchel gap at a zero derivative is l(u) - min l, without cancellation.
Vector deviances(const Problem& problem, const Vector& predictor) {
  return 2.0 * problem.loss().fenchel_gap(predictor, Vector::Zero(predictor.size()), problem.data().response);
}

}  // namespace

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::mse:
      return "mse";
    case Metric::mae:
      return "mae";
    case Metric::r2:
      return "r2";
    case Metric::deviance:
      return "deviance";
  }
  return "";
}

bool larger_is_better(Metric metric) {
  return metric == Metric::r2;
}

Estimate estimate_risk(const Problem& problem, Metric metric, const LeaveOneOut& held_out) {
  const Dataset& data = problem.data();
  Estimate none;
  for (Index i = 0; i < problem.rows(); ++i) {
    if (data.weights[i] > 0.0 && !std::isfinite(held_out.linear_predictor[i])) ++none.undefined;
  }
  if (none.undefined > 0) return none;
  const Vector residual =
      (data.weights.array() > 0.0).select(data.response.array() - held_out.linear_predictor.array(), 0.0);
  switch (metric) {
    case Metric::mse:
      return weighted_mean(data, residual.cwiseAbs2());
    case Metric::mae:
      return weighted_mean(data, residual.cwiseAbs());
    case Metric::r2:
      return r_squared(data, residual);
    case Metric::deviance:
      return weighted_mean(data, deviances(problem, held_out.linear_predictor));
  }
  return none;
}

}  // namespace alo
