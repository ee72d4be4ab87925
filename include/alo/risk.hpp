// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alo/leave_one_out.hpp"

namespace alo {

// What is averaged over the held-out predictions.
//   mse  mean of (y - u)^2, no factor 1/2
//   mae  mean of |y - u|
//   r2   1 - sum w (y - u)^2 / sum w (y - weighted mean of y)^2, over all rows at once
//   deviance  mean of 2 (l(u; y) - min_v l(v; y)), l the loss
enum class Metric { mse, mae, r2, deviance };

std::string_view to_string(Metric metric);
bool larger_is_better(Metric metric);

// Mean and standard error of a metric. No value when any row is undefined: then
// `undefined` counts such rows and the lambda cannot be chosen.
struct Estimate {
  std::optional<double> mean;
  std::optional<double> se;
  Index undefined = 0;
};

// Weighted mean of the metric over rows, and its standard error: sd / sqrt(n) with divisor
// n - 1; with weights sqrt(sum w^2 (d - mean)^2) / sum w; r2 by the delta method.
Estimate estimate_risk(const Problem& problem, Metric metric, const LeaveOneOut& held_out);

// A metric along the path for each way of holding rows out.
struct RiskCurve {
  Metric metric = Metric::mse;
  std::vector<Estimate> alo;
  std::vector<Estimate> exact;  // empty unless asked for
  std::vector<Estimate> kfold;  // empty unless asked for
};

}  // namespace alo
