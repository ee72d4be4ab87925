// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alo/check.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/message.hpp"
#include "alo/path.hpp"
#include "alo/risk.hpp"
#include "alo/select.hpp"

namespace alo {

// Whether exact leave-one-out is computed at the chosen lambdas, in addition to the approximation along the
// path.
enum class Prove {
  automatic,  // where it should cost less than the path; never for a ridge, where both are equal
  always,
  never,
};

struct TuneOptions {
  std::vector<double> lambdas;  // explicit values; empty: a generated grid
  GridOptions grid;
  bool full_path = false;       // a generated path is not ended early (PathEnd)
  std::vector<Metric> metrics;  // the first one chooses; empty: the default of the loss
  Rule rule = Rule::minimum;
  Search search = Search::grid;
  Framework framework = Framework::automatic;
  Prove prove = Prove::automatic;   // exact leave-one-out at the chosen lambdas
  bool exact = false;               // exact leave-one-out along the whole path
  int folds = 0;                    // k-fold along the path when at least 2
  bool repair = false;              // exact refits for undefined rows
  bool keep_rows = false;           // per-row values at every lambda
  std::optional<Index> check_rows;  // exact leave-one-out on a random sample of this size
  FitOptions fit;
  int threads = 1;
  std::uint64_t seed = 1;
};

struct PathPoint {
  Fit fit;                        // its linear predictor is empty unless rows are kept
  double degrees_of_freedom = 0;  // sum of leverages, intercept included
  double max_leverage = 0;
  Index nonzero = 0;  // coefficients that are not zero
  std::optional<RowValues> rows;
};

struct Selected {
  Choice choice;
  PathPoint point;              // with its rows
  std::vector<Estimate> exact;  // risk by exact leave-one-out, one per metric; empty unless computed
};

// The relative difference between the exact and the approximate risk. Where larger is better, the risk is 1
// - r2 or 1 - auc. None unless both are known.
std::optional<double> exact_difference(Metric metric, const Selected& selected);
// The verdict calls the approximation unreliable when the exact risk differs from it by more than this
// share. Ten percent is the order of the standard error of a risk at n = 200, so a smaller difference
// seldom changes the choice. At ten times the value no error short of twice the risk would be reported.
inline constexpr double tolerated_difference = 0.1;

struct Verdict {
  bool reliable = true;
  std::vector<Message> reasons;
};

// Where a generated path was ended before its last lambda, and why, in a sentence without its full stop. The
// rest would have cost more than all before, and the risk had been clearly worse than its smallest value for
// some lambdas.
struct PathEnd {
  double lambda = 0.0;
  std::string reason;
};

struct Timing {
  double read_s = 0, fit_s = 0, alo_s = 0, exact_s = 0, kfold_s = 0;
};

struct TuneResult {
  std::vector<PathPoint> path;  // by falling lambda
  std::vector<RiskCurve> risk;  // one per metric, as long as the path
  Rule rule = Rule::minimum;
  Search search = Search::grid;
  std::optional<PathEnd> path_end;  // none when the path was walked to its end
  // True when the smallest risk is at the end of a generated path, which still gained noticeably there but
  // could not go on.
  bool open_end = false;
  std::optional<Selected> minimum;  // none when the risk is undefined everywhere
  std::optional<Selected> one_se;
  std::optional<Check> check;
  Verdict verdict;
  Timing timing;
  // The estimated time in seconds of exact leave-one-out along the path. It is set where exact
  // leave-one-out was not asked for and the curvature of the loss varies, because then no row can be
  // certified and few rows may make the approximation inaccurate.
  std::optional<double> exact_estimate_s;
  bool approximated = true;  // false for a linear program: the choice is by exact leave-one-out or by folds
  bool complete = true;      // false when stopped early
  bool certified = true;     // every fit met its tolerance
  std::uint64_t seed = 1;
  std::vector<Message> warnings;

  const std::optional<Selected>& chosen() const& { return rule == Rule::minimum ? minimum : one_se; }
  std::optional<Selected> chosen() && { return std::move(rule == Rule::minimum ? minimum : one_se); }
};

// Runs all stages: path, leave-one-out, risk, choice, verdict. When the monitor stops the work, the
// finished part is returned with `complete` false.
TuneResult tune(const Problem& problem, const TuneOptions& options = {}, const Monitor& monitor = {});

}  // namespace alo
