// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/risk.hpp"

namespace alo {

// The values of every row at one lambda, in the order of the data.
struct RowValues {
  Vector fitted;
  Vector alo;
  Vector exact;  // empty unless computed
  Vector leverage;
  std::vector<std::optional<bool>> certified;
  std::vector<RowFlag> flags;
  // The ends of the intervals of which `exact` has the midpoints; empty where all values are unique.
  Vector exact_low{};
  Vector exact_high{};
};

// Notes the values of exact leave-one-out. Rows without another flag that have no unique value are flagged.
void note_exact(RowValues& values, const LeaveOneOut& exact);

// Exact leave-one-out on a sample of rows beside the approximation, at one lambda.
struct Check {
  double lambda = 0;
  std::vector<Index> rows;     // ascending
  Vector alo, exact;           // held-out linear predictors of those rows, output after output
  double mean_difference = 0;  // mean of |ALO - LOO| over the sample; below, the maximum
  double max_difference = 0;
  Estimate alo_risk, exact_risk;  // on those rows
  // The difference estimator of the exact risk (Cochran 1977, chapter 7): the mean ALO loss over all rows
  // plus the mean of (exact - ALO) over the sample, with its 95 % interval (normal, with finite population
  // correction). NaN when a row of the sample has no prediction.
  double corrected_risk = std::numeric_limits<double>::quiet_NaN();
  double interval_low = corrected_risk, interval_high = corrected_risk;
  // True when the interval intersects the ALO risk +- 10 %.
  bool agrees = true;
};

// Refits without `count` rows drawn by the seed (without every row when there are no more). None when the
// monitor stopped it. Metrics that are not means over rows are checked through one that is: r2 through the
// squared errors, auc through the loss.
std::optional<Check> check_rows(const Problem& problem, const Fit& fit, const RowValues& values,
                                Metric metric, Index count, std::uint64_t seed, const ExactOptions& options,
                                const Monitor& monitor = {});

}  // namespace alo
