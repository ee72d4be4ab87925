// SPDX-License-Identifier: MIT
#include "risk/row_metric.hpp"

#include <cmath>

namespace alo {

namespace {

// The error of a row with m of the K outputs tied for the largest: 1 - 1/m if its class is among them, else
// 1.
Vector class_errors(const Matrix& outputs, const VectorView& response) {
  return Vector::NullaryExpr(response.size(), [&](Index i) {
    const double largest = outputs.row(i).maxCoeff();
    const auto tied = static_cast<double>((outputs.row(i).array() == largest).count());
    return outputs(i, static_cast<Index>(response[i])) == largest ? 1.0 - 1.0 / tied : 1.0;
  });
}

Vector misclassifications(const Loss& loss, const VectorView& predictor, const VectorView& response) {
  if (loss.response_kind() == ResponseKind::classes) {
    return class_errors(predictor.reshaped(response.size(), loss.outputs()), response);
  }
  return predictor.cwiseProduct(response).unaryExpr(
      [](double margin) { return margin > 0.0 ? 0.0 : (margin < 0.0 ? 1.0 : 0.5); });
}

Vector brier_scores(const Loss& loss, const VectorView& predictor, const VectorView& response) {
  Matrix difference = loss.mean(predictor).reshaped(response.size(), loss.outputs());
  for (Index i = 0; i < response.size(); ++i) {
    if (loss.response_kind() == ResponseKind::classes) {
      difference(i, static_cast<Index>(response[i])) -= 1.0;
    } else if (response[i] == 1.0) {
      difference(i, 0) -= 1.0;
    }
  }
  return difference.rowwise().squaredNorm();
}

}  // namespace

Vector row_metric(Metric metric, const Loss& loss, const VectorView& predictor, const VectorView& response) {
  switch (metric) {
    case Metric::mse:
    case Metric::r2:
      return (response - loss.mean(predictor)).cwiseAbs2();
    case Metric::mae:
      return (response - loss.mean(predictor)).cwiseAbs();
    case Metric::deviance:
      // The Fenchel gap at derivative zero is l(u) - min l, without cancellation.
      return 2.0 * loss.fenchel_gap(predictor, Vector::Zero(predictor.size()), response);
    case Metric::misclassification:
      return misclassifications(loss, predictor, response);
    case Metric::brier:
      return brier_scores(loss, predictor, response);
    case Metric::hinge:
      return (1.0 - predictor.array() * response.array()).max(0.0);
    case Metric::logloss:
    case Metric::auc:
    case Metric::auc_recentred:
    case Metric::huber:
    case Metric::pinball:
    case Metric::epsilon_insensitive:
      break;
  }
  return loss.value(predictor, response);
}

Estimate mean_of_rows(const Vector& values, const Vector& weights, bool counts) {
  const double total = weights.sum();
  const double mean = weights.dot(values) / total;
  const auto squares = (values.array() - mean).square();
  Estimate estimate;
  estimate.mean = mean;
  if (!std::isfinite(mean)) return estimate;
  if (counts) {
    if (total > 1.0) estimate.se = std::sqrt((weights.array() * squares).sum() / (total - 1.0) / total);
  } else if ((weights.array() > 0.0).count() > 1) {
    estimate.se = std::sqrt((weights.array().square() * squares).sum()) / total;
  }
  return estimate;
}

}  // namespace alo
