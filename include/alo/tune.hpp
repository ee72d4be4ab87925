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
#include "alo/words.hpp"

namespace alo {

// Which risk curve chooses lambda.
enum class ChooseBy {
  automatic,  // the most exact one that the effort allows
  alo,        // approximate leave-one-out alone
  exact,      // exact leave-one-out at every lambda
  kfold,      // cross-validation
};

// In which rows exact leave-one-out takes the place of the formula.
enum class Repair {
  automatic,  // rows that the formula cannot predict or moves far, where they matter for the choice
  none,
  exact,  // all rows that the formula cannot predict, at every lambda
};

// The work for exact leave-one-out that is always affordable, in floating-point operations: about half a
// second of one core. At ten times the value small problems would take five seconds where they take one half.
inline constexpr double small_effort = 2e10;

struct TuneOptions {
  std::vector<double> lambdas;  // explicit values; empty: a generated grid
  GridOptions grid;
  bool full_path = false;       // a generated path is not ended early (PathEnd)
  std::vector<Metric> metrics;  // the first one chooses; empty: the default of the loss
  Rule rule = Rule::minimum;
  Search search = Search::grid;
  Framework framework = Framework::automatic;
  ChooseBy choose = ChooseBy::automatic;
  // Work for exact leave-one-out, as a multiple of the work of the path. By default the work of one path or
  // small_effort, whichever is more. Zero means the approximation alone.
  std::optional<double> effort;
  bool exact = false;  // exact leave-one-out along the whole path
  int folds = 0;       // k-fold along the path when at least 2
  Repair repair = Repair::automatic;
  bool keep_rows = false;           // per-row values at every lambda
  std::optional<Index> check_rows;  // exact leave-one-out on a sample of this size
  int outer_folds = 0;              // the error of the whole procedure by folds, when at least 2
  FitOptions fit;
  int threads = 1;
  std::uint64_t seed = 1;
};

const Words<Rule>& rules();
const Words<Search>& searches();
const Words<Framework>& frameworks();
const Words<ChooseBy>& choosers();
const Words<Repair>& repairs();

// The number of threads by default: the cores, at most the 128 that OpenBLAS, as Debian builds it, is made
// for.
int default_threads();

struct PathPoint {
  Fit fit;                        // its linear predictor is empty unless rows are kept
  double degrees_of_freedom = 0;  // sum of leverages, intercept included
  double max_leverage = 0;
  Index nonzero = 0;  // coefficients that are not zero
  std::optional<RowValues> rows;
};

struct Selected {
  Choice choice;                          // its risk is that of the curve that chose
  EstimateKind kind = EstimateKind::alo;  // what that risk was computed from,
  std::optional<double> error = {};       // and how far it may be from exact leave-one-out (BestEstimate)
  PathPoint point;                        // with its rows
  std::vector<Estimate> alo;              // risk by the approximation, one per metric
  std::vector<Estimate> exact;            // risk by exact leave-one-out; empty unless computed in every row
  Index missed = 0;                       // fits without a row whose certificate missed the tolerance
};

// An estimate with a known error is as good as exact where that error is below this share of it, or below
// this share of its standard error: at a twentieth of the risk and a quarter of what sampling leaves open,
// nobody would decide otherwise. At ten times the values half of the risk would go unnoticed.
inline constexpr double tolerated_share = 0.05;
inline constexpr double tolerated_share_of_se = 0.25;

// With a row of this leverage the formula divides by 1 - h < 0.3, so that errors of its quadratic model are
// more than tripled. In simulated lassos nearly all risks that were wrong by more than a tenth had such rows.
// At 0.9 most of those pass unseen; at 0.5 half of all small problems are suspected.
inline constexpr double doubtful_leverage = 0.7;

// The relative difference between the exact and the approximate risk. Where larger is better, the risk is 1
// - r2 or 1 - auc. None unless both are known.
std::optional<double> exact_difference(Metric metric, const Selected& selected);

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

// The error of the whole procedure: for each of the outer folds lambda is chosen from the other rows alone,
// and the fit there predicts the fold. The smallest risk of a curve is on average too small, for it is the
// smallest of many; this one is not.
struct OuterRisk {
  int folds = 0;
  std::vector<Metric> metrics = {};      // of the run; auc in place of its re-centred form
  std::vector<Estimate> risk = {};       // one per metric, over all rows; empty when stopped early
  std::vector<double> lambdas = {};      // chosen in each fold; NaN where it was not finished
  Index missed = 0;                      // chosen fits whose certificate missed the tolerance
  std::vector<int> without_choice = {};  // folds, from 1, in whose other rows no lambda could be chosen
  bool complete = true;
};

struct Timing {
  double read_s = 0, fit_s = 0, alo_s = 0, exact_s = 0, kfold_s = 0, outer_s = 0;
};

struct TuneResult {
  std::vector<PathPoint> path;  // by falling lambda
  std::vector<RiskCurve> risk;  // one per metric, as long as the path
  Rule rule = Rule::minimum;
  Search search = Search::grid;
  std::optional<PathEnd> path_end;  // none when the path was walked to its end
  std::optional<Selected> minimum;  // none when the risk is undefined everywhere
  std::optional<Selected> one_se;
  std::optional<Check> check;
  std::optional<OuterRisk> outer;
  Verdict verdict;
  Timing timing;
  ChooseBy choose = ChooseBy::automatic;  // what was to choose lambda
  // What chose lambda: `automatic` where some risks of the curve are exact and others are not.
  ChooseBy chosen_by = ChooseBy::alo;
  // What exact leave-one-out at every lambda would cost, where it was not computed: seconds, estimated from
  // the operation counts, and the effort to ask for.
  struct ExactCost {
    double seconds = 0;
    double effort = 0;
  };
  std::optional<ExactCost> exact_cost;
  // The reason, where the smallest risk is at an end of the path that could have gone on.
  std::optional<Message> open_end;
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
