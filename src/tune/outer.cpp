// SPDX-License-Identifier: MIT
#include "tune/outer.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formula/hat.hpp"
#include "leave_one_out/training_part.hpp"
#include "linalg/parallel.hpp"
#include "problem/signal.hpp"

namespace alo {

namespace {

// The options with which the training rows are tuned: those of the whole, less what does not move the choice.
TuneOptions inner_options(const Problem& problem, const TuneOptions& options, double lambda_factor) {
  TuneOptions inner = options;
  for (double& lambda : inner.lambdas) lambda *= lambda_factor;
  inner.outer_folds = 0;
  inner.check_rows.reset();
  inner.keep_rows = false;
  inner.threads = 1;
  if (!has_approximation(problem)) return inner;
  if (inner.choose != ChooseBy::kfold) inner.folds = 0;
  if (inner.choose == ChooseBy::alo) inner.exact = false;
  return inner;
}

TrainingPart part_of(const Problem& problem, const TuneOptions& options, const std::vector<int>& assignment,
                     int fold) {
  try {
    return training_part(problem, assignment, fold);
  } catch (const InvalidArgument& error) {
    throw InvalidData(fmt::format("the rows without outer fold {} of {} cannot be tuned: {}", fold + 1,
                                  options.outer_folds, error.what()),
                      {{Setting::outer}});
  }
}

// Re-centred AUC compares predictions of leave-one-out fits; the held-out rows of a fold share one fit.
Metric outer_metric(Metric metric) {
  return metric == Metric::auc_recentred ? Metric::auc : metric;
}

class OuterFolds {
 public:
  OuterFolds(const Problem& problem, const TuneOptions& options, const Monitor& monitor)
      : problem_(problem),
        options_(options),
        monitor_(monitor),
        assignment_(assign_folds(problem, options.outer_folds, options.seed)),
        done_(static_cast<std::size_t>(options.outer_folds), 0.0),
        held_out_(nothing_held_out(problem)) {
    result_.folds = options.outer_folds;
    result_.lambdas.assign(done_.size(), std::numeric_limits<double>::quiet_NaN());
  }

  OuterRisk run() {
    parallel_for(done_.size(), options_.threads,
                 [this](std::size_t fold, std::mutex& mutex) { run_fold(fold, mutex); });
    std::sort(result_.without_choice.begin(), result_.without_choice.end());
    for (std::size_t m = 0; m < options_.metrics.size() && result_.complete; ++m) {
      const Metric metric = outer_metric(options_.metrics[m]);
      result_.metrics.push_back(metric);
      result_.risk.push_back(estimate_risk(problem_, metric, held_out_));
    }
    return std::move(result_);
  }

 private:
  void run_fold(std::size_t fold, std::mutex& mutex) {
    const TrainingPart part = part_of(problem_, options_, assignment_, static_cast<int>(fold));
    // The monitor's functions may only be called one at a time.
    const Monitor watch{[&](std::string_view stage, double done, double total) {
                          const std::scoped_lock lock(mutex);
                          if (stage == "path" && total > 0.0) note_progress(fold, done / total);
                        },
                        [&] {
                          const std::scoped_lock lock(mutex);
                          return monitor_.stop();
                        }};
    const TuneResult tuned =
        tune(part.problem, inner_options(part.problem, options_, part.lambda_factor), watch);
    const std::scoped_lock lock(mutex);
    if (tuned.complete && tuned.chosen()) {
      take(fold, part, tuned.chosen()->point.fit);
    } else if (tuned.complete) {
      result_.without_choice.push_back(static_cast<int>(fold) + 1);
    } else {
      result_.complete = false;
    }
    note_progress(fold, 1.0);
  }

  void take(std::size_t fold, const TrainingPart& part, const Fit& fit) {
    result_.lambdas[fold] = fit.lambda;
    if (!is_certified(fit.status)) ++result_.missed;
    by_output(held_out_.linear_predictor, problem_.outputs())(part.held_out, Eigen::all) =
        predict_held_out(problem_, part, fit);
  }

  // A fold counts as done when its predictions are; until then by its path.
  void note_progress(std::size_t fold, double share) {
    done_[fold] = std::max(done_[fold], std::min(share, 1.0));
    double sum = 0.0;
    for (const double one : done_) sum += one;
    monitor_.report("outer folds", sum, static_cast<double>(done_.size()));
  }

  const Problem& problem_;
  const TuneOptions& options_;
  const Monitor& monitor_;
  const std::vector<int> assignment_;
  std::vector<double> done_;  // the share of each fold
  LeaveOneOut held_out_;
  OuterRisk result_;
};

}  // namespace

void check_outer(const Problem& problem, const TuneOptions& options) {
  if (options.outer_folds == 0) return;
  check_folds(problem, options.outer_folds);
  if (is_identity(problem.data().design) && !problem.penalty().shape()) {
    throw InvalidArgument(
        "outer folds predict rows from the others' coefficients, and in a signal every row has a coefficient "
        "of its own; leave-one-out, which takes a row's neighbours, is all there is",
        {{Setting::outer}});
  }
  const std::vector<int> assignment = assign_folds(problem, options.outer_folds, options.seed);
  for (int fold = 0; fold < options.outer_folds; ++fold) part_of(problem, options, assignment, fold);
}

OuterRisk outer_folds(const Problem& problem, const TuneOptions& options, const Monitor& monitor) {
  return OuterFolds(problem, options, monitor).run();
}

}  // namespace alo
