// SPDX-License-Identifier: MIT
// Held-out predictions by other means than the approximation: exact leave-one-out along the path or where it
// can change the choice, folds, the check of some rows.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/check.hpp"
#include "tune/ladder.hpp"
#include "tune/run.hpp"

namespace alo {

namespace {

// Exact leave-one-out of less than this share of the operations of the path takes too little time to foretell
// that of more. At ten times the share the path would foretell it where that is known better; at a tenth
// milliseconds would be multiplied by thousands.
constexpr double share_to_measure = 0.3;

}  // namespace

// Adds exact leave-one-out to the approximate curve: at every lambda if that was asked for, or as far as the
// effort allows where it can change the choice.
void TuneRun::gather_evidence() {
  if (lambdas_.empty()) return;
  evidence_.emplace(problem_, options_, monitor_, result_, looks_);
  if (!result_.complete) return;
  const Stopwatch clock;
  weigh_evidence();
  extend_by_evidence();
  if (is_by_ladder()) settle_doubts(*evidence_, result_);
  result_.timing.exact_s += clock.seconds();
  note_evidence();
  // Without an approximation ties are broken by exact leave-one-out.
  for (Index k = 0; wants_exact() && !result_.approximated && k < evidence_->size(); ++k) {
    own_risk_.exact.push_back(estimate_risk(problem_, own_risk_.metric, evidence_->rows(k).best));
  }
  keep_exact_rows();
  estimate_exact_cost();
}

void TuneRun::weigh_evidence() {
  if (wants_exact()) {
    evidence_->settle_all(false);
  } else if (is_by_ladder()) {
    find_minimum(*evidence_, result_);
  }
}

void TuneRun::note_evidence() {
  if (evidence_->stopped() && result_.complete) {
    result_.complete = false;
    result_.warnings.emplace_back("exact leave-one-out was stopped before its end");
  }
}

// Along the path exact predictions are kept with the others of a row.
void TuneRun::keep_exact_rows() {
  if (!options_.keep_rows) return;
  for (Index k = 0; k < evidence_->size(); ++k) {
    PathPoint& point = result_.path[static_cast<std::size_t>(k)];
    if (point.rows && evidence_->has_refits(k)) note_exact(*point.rows, evidence_->rows(k).best);
  }
}

void TuneRun::note_missed(Index missed, std::string_view what) {
  if (missed == 0) return;
  result_.certified = false;
  result_.warnings.push_back(fmt::format(
      "{} of the {} missed the certificate; the numbers made from them may be off", missed, what));
}

void TuneRun::cross_validate() {
  if (options_.folds < 2 || lambdas_.empty() || !result_.complete) return;
  const Stopwatch clock;
  const KFold folds =
      k_fold(problem_, lambdas_, {options_.fit, options_.folds, options_.seed, options_.threads, generated()},
             monitor_);
  result_.timing.kfold_s = clock.seconds();
  if (!folds.complete) {
    result_.complete = false;
    return;
  }
  note_missed(folds.missed, "fits of the folds");
  for (const LeaveOneOut& held_out : folds.values) {
    for (RiskCurve& curve : result_.risk) {
      curve.kfold.push_back(estimate_risk(problem_, curve.metric, held_out));
    }
    own_risk_.kfold.push_back(estimate_risk(problem_, own_risk_.metric, held_out));
  }
}

// What exact leave-one-out at the other lambdas would cost, in seconds from the time and the operation counts
// of that at some of them; where next to none was computed, of the path.
void TuneRun::estimate_exact_cost() {
  const double work = evidence_->all_flops();
  if (!(work > 0.0) || !std::isfinite(work) || !result_.complete || formula_is_exact(problem_)) return;
  const double path = evidence_->path_flops();
  const double spent = evidence_->spent();
  const double path_seconds = (result_.timing.fit_s + result_.timing.alo_s) / options_.threads;
  const double seconds =
      spent > share_to_measure * path ? result_.timing.exact_s * work / spent : path_seconds * work / path;
  result_.exact_cost = {seconds, (spent + work) / path};
}

void TuneRun::check() {
  if (!options_.check_rows || !result_.chosen() || !result_.complete) return;
  const Stopwatch clock;
  const Selected& chosen = *result_.chosen();
  result_.check = check_rows(problem_, chosen.point.fit, *chosen.point.rows, result_.risk[0].metric,
                             *options_.check_rows, options_.seed, {options_.fit, options_.threads}, monitor_);
  if (!result_.check) result_.complete = false;
  result_.timing.exact_s += clock.seconds();
}

}  // namespace alo
