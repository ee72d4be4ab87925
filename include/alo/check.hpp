// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
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

// What a check says of the approximate risk. Near means within 5 % of it, or within a quarter of its standard
// error if that is more.
enum class CheckVerdict {
  trusted,    // the whole interval of the exact risk is near the approximate one
  undecided,  // part of the interval is near, part of it is not: more rows would decide
  refuted,    // no part of the interval is near
};
std::string_view to_string(CheckVerdict verdict);

// Exact leave-one-out on a sample of rows beside the approximation, at one lambda. Half of the rows are those
// in which the approximation may err most; the others are random.
struct Check {
  double lambda = 0;
  std::vector<Index> rows;     // ascending
  Vector alo, exact;           // held-out linear predictors of those rows, output after output
  double mean_difference = 0;  // mean of |ALO - LOO| over the sample; below, the maximum
  double max_difference = 0;
  Estimate alo_risk, exact_risk;  // on those rows
  // Rows that are not in the sample because they are proved (RowValues::certified) or known.
  Index settled = 0;
  // The estimate of the exact risk of all rows from the settled, the most doubtful and the random rows, with
  // its 95 % interval. NaN when a row of the sample has no prediction; a point when every row is settled or
  // sampled.
  double corrected_risk = std::numeric_limits<double>::quiet_NaN();
  double interval_low = corrected_risk, interval_high = corrected_risk;
  CheckVerdict verdict = CheckVerdict::undecided;
  // Where undecided: about how large a sample would decide.
  std::optional<Index> deciding_rows;
};

// Takes `count` rows, drawn by the seed (every row when there are no more). Rows with a known exact value are
// not fitted again. None when the monitor stopped it. Metrics that are not means over rows are checked
// through one that is: r2 through the squared errors, auc through the loss.
std::optional<Check> check_rows(const Problem& problem, const Fit& fit, const RowValues& values,
                                Metric metric, Index count, std::uint64_t seed, const ExactOptions& options,
                                const Monitor& monitor = {});

}  // namespace alo
