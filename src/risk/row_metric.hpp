// SPDX-License-Identifier: MIT
#pragma once

#include "alo/risk.hpp"

namespace alo {

// Per row, what a metric averages. Of metrics that are no means: of r2 the squared errors, of auc the loss.
Vector row_metric(Metric metric, const Loss& loss, const VectorView& predictor, const VectorView& response);

// Mean of per-row values and its standard error; with `counts` a weight is a number of copies.
Estimate mean_of_rows(const Vector& values, const Vector& weights, bool counts);

}  // namespace alo
