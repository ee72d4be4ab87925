// SPDX-License-Identifier: MIT
#pragma once

#include "alo/risk.hpp"

namespace alo {

// The values that a metric averages, one per row. Metrics that are not means are replaced: r2 by the
// squared errors, auc by the loss.
Vector row_metric(Metric metric, const Loss& loss, const VectorView& predictor, const VectorView& response);

// The factor with which a smaller value of the metric is the better one.
inline double sign_of(Metric metric) {
  return larger_is_better(metric) ? -1.0 : 1.0;
}

// The mean of values per row and its standard error; with `counts` a weight is a number of copies.
Estimate mean_of_rows(const Vector& values, const Vector& weights, bool counts);

}  // namespace alo
