// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/metric.hpp"

namespace alo {

// The mean of a metric and its standard error. There is no value when any row is undefined: then
// `undefined` counts these rows, and this lambda cannot be chosen.
struct Estimate {
  std::optional<double> mean;
  std::optional<double> se;
  Index undefined = 0;
};

// The weighted mean of a metric over the rows and its standard error: the standard deviation (divisor n -
// 1) over sqrt(n), or with weights sqrt(sum w^2 (d - mean)^2) / sum w. The standard error of r2 is by the
// delta method, that of auc by DeLong, DeLong and Clarke-Pearson (1988). The metric must fit the loss
// (check_metric of registry.hpp).
Estimate estimate_risk(const Problem& problem, Metric metric, const LeaveOneOut& held_out);

// The mean over the rows of (metric of `a` - metric of `b`) and the standard error of this mean, by the
// formulas of estimate_risk: two lambdas, or two models, judged on the same rows. It is mostly far smaller
// than the standard errors of the two risks, because rows that are hard for one are hard for the other. A
// metric that is not a mean over rows goes through one that is, of which the smaller is the better: r2
// through squared errors, auc through the loss's own metric (the first of metrics_of in registry.hpp). There
// is no value when a row is undefined in either; `undefined` counts such rows.
Estimate paired_difference(const Problem& problem, Metric metric, const LeaveOneOut& a, const LeaveOneOut& b);

// What a risk at one lambda was computed from, by rising cost.
enum class EstimateKind : std::uint8_t {
  alo,        // the formula in every row
  corrected,  // the formula, times the ratio of exact to approximate risks at neighbouring lambdas
  repaired,   // exact in the rows where the formula is in doubt, the formula in the others
  sampled,    // exact in those rows and in a random sample of the others
  exact,      // exact leave-one-out
};
std::string_view to_string(EstimateKind kind);

// The best estimate of the exact leave-one-out risk at one lambda that was made.
struct BestEstimate : Estimate {
  EstimateKind kind = EstimateKind::alo;
  // Half the width of the 95 % interval of exact leave-one-out around the mean; zero where the mean is exact,
  // none where it is not known.
  std::optional<double> error;
};

// The risk in one metric along the path, for each way of holding rows out. Where a way was not computed at
// some lambda its estimate has neither a mean nor undefined rows.
struct RiskCurve {
  Metric metric = Metric::mse;
  std::vector<Estimate> alo;
  std::vector<BestEstimate> estimate;
  std::vector<Estimate> exact;  // empty where it was computed at no lambda
  std::vector<Estimate> kfold;  // empty unless asked for
};

}  // namespace alo
