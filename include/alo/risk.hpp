// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/metric.hpp"

namespace alo {

// Mean and standard error of a metric. No value when any row is undefined: then
// `undefined` counts such rows and the lambda cannot be chosen.
struct Estimate {
  std::optional<double> mean;
  std::optional<double> se;
  Index undefined = 0;
};

// Weighted mean of the metric over rows, and its standard error: sd / sqrt(n) with divisor
// n - 1; with weights sqrt(sum w^2 (d - mean)^2) / sum w; r2 by the delta method, auc by that of
// DeLong, DeLong and Clarke-Pearson (1988). The metric must fit the loss (check_metric of registry.hpp).
Estimate estimate_risk(const Problem& problem, Metric metric, const LeaveOneOut& held_out);

// A metric along the path for each way of holding rows out.
struct RiskCurve {
  Metric metric = Metric::mse;
  std::vector<Estimate> alo;
  std::vector<Estimate> exact;  // empty unless asked for
  std::vector<Estimate> kfold;  // empty unless asked for
};

}  // namespace alo
