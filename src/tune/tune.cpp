// SPDX-License-Identifier: MIT
#include "alo/tune.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"
#include "linalg/blas.hpp"
#include "tune/outer.hpp"
#include "tune/run.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

// Stored entries of the design below which BLAS threads cost more than they save: 100 000 numbers are 800
// KB and fit the cache of one core. At ten times the value products of several milliseconds would run on
// one core.
constexpr Index small_design = 100'000;

// Folds where cross-validation chooses and nobody said how many (Breiman and Spector 1992 found ten good).
constexpr int default_folds = 10;

// Between the lambdas of a grid only the approximate curve is known.
void check_search(const TuneOptions& options) {
  if (options.search == Search::grid) return;
  if (options.choose == ChooseBy::exact || options.choose == ChooseBy::kfold) {
    throw InvalidArgument(
        "the search between the grid's values minimises the approximate curve; exact leave-one-out and "
        "folds choose among the grid's values",
        {{Setting::choose}});
  }
  if (options.rule == Rule::one_se_paired) {
    throw InvalidArgument(
        "the rule of paired differences compares the grid's values; it does not go with the search between "
        "them");
  }
}

// Checks now what would otherwise fail only after the path has been fitted.
void check_options(const Problem& problem, const TuneOptions& options) {
  check_search(options);
  for (const Metric metric : options.metrics) check_metric(metric, problem.loss());
  const Dataset& data = problem.data();
  const double rows = data.weight_kind == WeightKind::frequency
                          ? data.weights.sum()
                          : static_cast<double>((data.weights.array() > 0.0).count());
  if (rows < 2.0) {
    throw InvalidData("there is one row that counts; leaving one out needs at least two");
  }
  if (options.folds >= 2) check_folds(problem, options.folds);
  check_outer(problem, options);
  const bool has_other = options.exact || options.choose == ChooseBy::exact || options.folds >= 2;
  if (!has_approximation(problem) && (!has_other || options.check_rows)) {
    throw InvalidArgument(
        fmt::format(
            "the {} loss with a {} penalty is a linear program, which has no approximate "
            "leave-one-out; choose by exact leave-one-out or folds, or take a smooth loss (huber), or "
            "an elastic net with some ridge (a mix below 1)",
            problem.loss().name(), problem.penalty().name()),
        {{Setting::exact}, {Setting::folds}, {Setting::mix}});
  }
}

void add_outer(const Problem& problem, const TuneOptions& options, const Monitor& monitor,
               TuneResult& result) {
  if (options.outer_folds == 0 || !result.complete) return;
  const Stopwatch clock;
  result.outer = outer_folds(problem, options, monitor);
  result.timing.outer_s = clock.seconds();
  result.complete = result.outer->complete;
  if (!result.outer->without_choice.empty()) {
    result.warnings.push_back(
        {fmt::format(
             "in the rows without outer fold {} no lambda can be chosen, so that the error of the whole "
             "procedure is unknown; take another number of outer folds",
             result.outer->without_choice.front()),
         {{Setting::outer}}});
  }
  if (result.outer->missed > 0) {
    result.warnings.push_back(fmt::format("{} of {} fits of the outer folds missed their certificate",
                                          result.outer->missed, result.outer->folds));
  }
}

}  // namespace

TuneResult tune(const Problem& problem, const TuneOptions& options, const Monitor& monitor) {
  TuneOptions settled = options;
  if (settled.choose == ChooseBy::kfold && settled.folds < 2) settled.folds = default_folds;
  if (settled.effort && *settled.effort == 0.0 && settled.choose == ChooseBy::automatic) {
    settled.choose = ChooseBy::alo;
  }
  if (settled.metrics.empty()) settled.metrics = {metrics_of(problem.loss()).front()};
  check_options(problem, settled);
  const bool is_small = problem.design().stored_entries() < small_design;
  const blas::ThreadScope threads(is_small ? 1 : settled.threads);
  TuneRun run(problem, settled, monitor);
  run.walk_path();
  run.extend_grid();
  run.note_estimates();
  run.gather_evidence();
  run.cross_validate();
  run.choose();
  run.check();
  TuneResult result = run.take();
  add_outer(problem, settled, monitor, result);
  result.verdict = judge(result);
  return result;
}

}  // namespace alo
