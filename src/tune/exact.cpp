// SPDX-License-Identifier: MIT
// Held-out predictions by other means than the approximation: refits along the path and at the choice, folds,
// the check of some rows.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "alo/check.hpp"
#include "solvers/method.hpp"
#include "tune/run.hpp"

namespace alo {

namespace {

// Floating-point operations, a few seconds of one core. With few pinned rows the approximation of a loss
// with kinks is erratic in lambda, so that exact leave-one-out at the choice is worth this much even where
// it costs more than the path. At ten times the value a run of a second could take half a minute longer.
constexpr double worth_for_kinks = 5e9;

std::vector<Index> all_rows(const Problem& problem) {
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

}  // namespace

void TuneRun::refit_rows() {
  if (!options_.exact || lambdas_.empty() || !result_.complete) return;
  const Stopwatch clock;
  std::vector<Fit> fits;
  for (const PathPoint& point : result_.path) fits.push_back(point.fit);
  ExactLeaveOneOut exact =
      exact_leave_one_out(problem_, fits, all_rows(problem_), {options_.fit, options_.threads}, monitor_);
  result_.timing.exact_s = clock.seconds();
  if (!exact.complete) {
    result_.complete = false;
    return;
  }
  note_missed(exact.missed, "leave-one-out refits");
  for (std::size_t k = 0; k < lambdas_.size(); ++k) {
    for (RiskCurve& curve : result_.risk) {
      curve.exact.push_back(estimate_risk(problem_, curve.metric, exact.values[k]));
    }
    own_risk_.exact.push_back(estimate_risk(problem_, own_risk_.metric, exact.values[k]));
    if (result_.path[k].rows) result_.path[k].rows->exact = exact.values[k].linear_predictor;
  }
  exact_ = std::move(exact.values);
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

void TuneRun::take_exact(Selected& selected, const LeaveOneOut& held_out) const {
  selected.point.rows->exact = held_out.linear_predictor;
  for (const RiskCurve& curve : result_.risk) {
    selected.exact.push_back(estimate_risk(problem_, curve.metric, held_out));
  }
}

double TuneRun::path_work() const {
  std::vector<Index> nonzero;
  for (const PathPoint& point : result_.path) nonzero.push_back(point.nonzero);
  return route(problem_).path_flops(problem_, nonzero);
}

bool TuneRun::is_worth(double work) const {
  if (options_.prove != Prove::automatic) return options_.prove == Prove::always;
  if (options_.exact || (problem_.loss().has_kinks() && work < worth_for_kinks)) return true;
  return proved_work_ + work < path_work();
}

// Returns false when the monitor stopped it.
bool TuneRun::prove(Selected& selected) {
  const auto& index = selected.choice.index;
  if (index && !exact_.empty()) {
    take_exact(selected, exact_[static_cast<std::size_t>(*index)]);
    return true;
  }
  const double work = route(problem_).exact_flops(problem_, selected.point.nonzero);
  if (!is_worth(work)) return true;
  proved_work_ += work;
  const Stopwatch clock;
  const Fit& fit = selected.point.fit;
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem_, std::span(&fit, 1), all_rows(problem_),
                          {options_.fit, work < small_work ? 1 : options_.threads}, monitor_);
  result_.timing.exact_s += clock.seconds();
  if (!exact.complete) return false;
  note_missed(exact.missed, "leave-one-out fits at the chosen lambda");
  take_exact(selected, exact.values[0]);
  return true;
}

// The risk curve is approximate, but the choice is checked exactly: first that of the rule, then the other
// one if both together cost less than the path.
void TuneRun::prove() {
  if (!result_.minimum || !result_.complete) return;
  Selected& first = result_.rule == Rule::minimum ? *result_.minimum : *result_.one_se;
  Selected& second = result_.rule == Rule::minimum ? *result_.one_se : *result_.minimum;
  const bool same = first.choice.lambda == second.choice.lambda;
  result_.complete = prove(first) && (same || prove(second));
  if (same) {
    second.exact = first.exact;
    second.point.rows->exact = first.point.rows->exact;
  }
  if (!result_.complete) {
    result_.warnings.emplace_back("exact leave-one-out at the chosen lambdas was stopped before its end");
  }
}

// Estimates the time of exact leave-one-out from the time of the path and the operation counts of both.
void TuneRun::estimate_exact() {
  if (options_.exact || problem_.loss().is_quadratic() || !result_.complete || result_.path.empty()) return;
  double exact = 0.0;
  for (const PathPoint& point : result_.path) exact += route(problem_).exact_flops(problem_, point.nonzero);
  if (!std::isfinite(exact)) return;
  const double took = result_.timing.fit_s + result_.timing.alo_s;
  result_.exact_estimate_s = took * exact / path_work() / options_.threads;
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
