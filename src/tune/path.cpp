// SPDX-License-Identifier: MIT
// The first stage of a run: fits at falling lambdas, their approximate leave-one-out, and its risk.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "alo/registry.hpp"
#include "formula/hat.hpp"
#include "linalg/parallel.hpp"
#include "risk/row_metric.hpp"
#include "solvers/method.hpp"
#include "tune/approximation.hpp"
#include "tune/run.hpp"

namespace alo {

namespace {

// A generated path ends where less than this share of the null deviance is left, because the classes are
// then separated: smaller lambdas give almost the same predictions with growing coefficients (glmnet stops
// at the same share of unexplained deviance, 0.001). At ten times the value paths of overlapping classes
// could end early.
constexpr double separated_share = 1e-3;

FitOptions with_leverages(const TuneOptions& options) {
  FitOptions fit = options.fit;
  fit.carry_hat = options.framework == Framework::automatic;
  return fit;
}

}  // namespace

TuneRun::TuneRun(const Problem& problem, const TuneOptions& options, const Monitor& monitor)
    : problem_(problem), options_(options), monitor_(monitor), solver_(problem, with_leverages(options)) {
  result_.timing.fit_s = solver_made_.seconds();
  result_.rule = options.rule;
  result_.search = options.search;
  result_.choose = options.choose;
  result_.seed = options.seed;
  result_.approximated = has_approximation(problem);
  for (const Metric metric : options.metrics) result_.risk.push_back({metric, {}, {}, {}, {}});
  own_risk_.metric = metrics_of(problem.loss()).front();
}

void TuneRun::walk_path() {
  const Stopwatch clock;
  lambdas_ = generated() ? solver_.grid(options_.grid) : options_.lambdas;
  result_.timing.fit_s += clock.seconds();
  std::sort(lambdas_.begin(), lambdas_.end(), std::greater<>());
  lambdas_.erase(std::unique(lambdas_.begin(), lambdas_.end()), lambdas_.end());
  const std::vector<double> wanted = std::exchange(lambdas_, {});
  planned_ = wanted.size();
  visit(wanted);
}

// Computes fits and risks, a few lambdas at a time, until the monitor stops it.
void TuneRun::visit(std::span<const double> lambdas) {
  while (!lambdas.empty()) {
    const std::span next = lambdas.first(fits_wanted(lambdas.size()));
    const Stopwatch fitting;
    std::vector<Fit> fits = solver_.fit(next, monitor_);
    result_.timing.fit_s += fitting.seconds();
    if (generated()) note_separation(fits);
    std::vector<LeaveOneOut> held_out = approximate(fits);
    for (std::size_t k = 0; k < fits.size(); ++k) {
      if (ends_before(fits[k])) return;
      add_point(std::move(fits[k]), std::move(held_out[k]));
      if (is_separated() || !result_.complete) return;
    }
    if (fits.size() < next.size()) {
      result_.complete = false;
      return;
    }
    lambdas = lambdas.subspan(next.size());
    if (is_ended(lambdas.size())) return;
  }
}

// Below the lambda at which the classes are separated the predictions hardly change and the coefficients
// diverge, so that a generated path ends there.
void TuneRun::note_separation(std::vector<Fit>& fits) {
  if (problem_.loss().response_kind() == ResponseKind::number) return;
  for (Fit& fit : fits) {
    if (fit.status != FitStatus::converged || fit.unexplained >= separated_share) continue;
    fit.status = FitStatus::separated;
    fits.resize(static_cast<std::size_t>(&fit - fits.data()) + 1);
    result_.warnings.push_back(
        {fmt::format("the columns separate the classes: at lambda = {:.4g} less than {:g} of the null "
                     "deviance is left, so smaller lambdas of the grid were left out; lambdas that are given "
                     "instead of a grid are all fitted",
                     fit.lambda, separated_share),
         {{Setting::lambda}}});
    return;
  }
}

// Runs the lambdas in parallel where the solver did not provide H_ii, since each then needs a
// factorisation.
std::vector<LeaveOneOut> TuneRun::approximate(const std::vector<Fit>& fits) {
  const Stopwatch clock;
  double work = 0.0;
  for (const Fit& fit : fits) {
    const auto active = static_cast<double>((fit.coefficients.array() != 0.0).count());
    if (fit.hat.size() == 0) work += static_cast<double>(problem_.rows()) * active * active;
  }
  std::vector<LeaveOneOut> held_out(fits.size());
  const auto hold_out = [&](std::size_t k) {
    held_out[k] = approximation(problem_, fits[k], options_.framework);
  };
  if (fits.size() == 1) {
    hold_out(0);  // BLAS has the threads
  } else {
    parallel_for(fits.size(), work < small_work ? 1 : options_.threads,
                 [&](std::size_t k, std::mutex&) { hold_out(k); });
  }
  result_.timing.alo_s += clock.seconds();
  return held_out;
}

bool repair_undefined(const Problem& problem, const Fit& fit, const TuneOptions& options,
                      const Monitor& monitor, LeaveOneOut& held_out) {
  if (options.repair != Repair::exact || held_out.undefined() == 0) return true;
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i) {
    if (is_undefined(held_out.flags[static_cast<std::size_t>(i)])) rows.push_back(i);
  }
  const ExactLeaveOneOut exact = exact_leave_one_out(
      problem, std::span(&fit, 1), rows, {options.fit, options.threads}, {{}, monitor.should_stop});
  for (const Index i : rows) {
    const auto value = by_output(exact.values[0].linear_predictor, problem.outputs()).row(i);
    if (!value.allFinite()) continue;
    by_output(held_out.linear_predictor, problem.outputs()).row(i) = value;
    held_out.flags[static_cast<std::size_t>(i)] = RowFlag::repaired;
  }
  return exact.complete;
}

LeaveOneOut approximation(const Problem& problem, const Fit& fit, Framework framework) {
  if (has_approximation(problem)) return approximate_leave_one_out(problem, fit, framework);
  LeaveOneOut unknown = nothing_held_out(problem);
  unknown.leverage = Vector::Zero(problem.rows());
  std::fill(unknown.flags.begin(), unknown.flags.end(), RowFlag::singular);
  return unknown;
}

// The leverages are kept for the chosen lambda where they are expensive to recompute, that is, where the
// coefficients are a matrix, or where they take no more memory than the coefficients.
bool TuneRun::keeps_hat(const Fit& fit) const {
  return problem_.penalty().shape() || fit.hat.size() <= fit.coefficients.size();
}

void TuneRun::add_point(Fit fit, LeaveOneOut held_out) {
  const Stopwatch clock;
  PathPoint point;
  point.fit = std::move(fit);
  repair(point.fit, held_out);
  measure(point, held_out);
  for (RiskCurve& curve : result_.risk) {
    curve.alo.push_back(estimate_risk(problem_, curve.metric, held_out));
  }
  const Estimate& risk = result_.risk.front().alo.back();
  const Metric metric = result_.risk.front().metric;
  const double sign = sign_of(metric);
  looks_.push_back(risk.mean ? sign * *risk.mean : defined_mean(problem_, metric, held_out));
  own_risk_.alo.push_back(estimate_risk(problem_, own_risk_.metric, held_out));
  follow(held_out);
  if (options_.keep_rows) {
    point.rows = row_values(point, held_out);
  } else {
    point.fit.linear_predictor.resize(0);
  }
  result_.timing.alo_s += clock.seconds();
  if (!keeps_hat(point.fit)) point.fit.hat.resize(0);
  lambdas_.push_back(point.fit.lambda);
  result_.path.push_back(std::move(point));
  monitor_.report("path", static_cast<double>(lambdas_.size()), static_cast<double>(planned_));
}

void TuneRun::measure(PathPoint& point, const LeaveOneOut& held_out) {
  point.degrees_of_freedom = held_out.degrees_of_freedom;
  point.max_leverage = held_out.leverage.maxCoeff();
  point.nonzero = (point.fit.coefficients.array() != 0.0).count();
  if (!is_certified(point.fit.status)) result_.certified = false;
}

// Replaces undefined approximate predictions by exact ones, if the options ask for it.
void TuneRun::repair(const Fit& fit, LeaveOneOut& held_out) {
  if (!repair_undefined(problem_, fit, options_, monitor_, held_out)) result_.complete = false;
}

// Row certificates that were not asked for are computed only where they cost less than small_work. A
// prediction that does not exist equals nothing, whatever is proved of the fit without the row.
RowValues TuneRun::row_values(const PathPoint& point, const LeaveOneOut& held_out) const {
  RowValues rows{
      point.fit.linear_predictor, held_out.linear_predictor, Vector(), held_out.leverage, {}, held_out.flags};
  if (options_.keep_rows || route(problem_).certify_rows_flops(problem_, point.nonzero) < small_work) {
    rows.certified = certify_rows(problem_, point.fit);
    for (std::size_t i = 0; i < rows.certified.size(); ++i) {
      if (is_undefined(held_out.flags[i])) rows.certified[i].reset();
    }
  }
  return rows;
}

// Notes the error of leverages that were estimated by random probes (large matrix completion).
void TuneRun::note_estimates() {
  Index count = 0;
  double largest = 0.0;
  for (const PathPoint& point : result_.path) {
    count += point.fit.hat_error > 0.0 ? 1 : 0;
    largest = std::max(largest, point.fit.hat_error);
  }
  if (count == 0) return;
  result_.warnings.push_back(
      fmt::format("at {} of {} lambdas leverages were estimated from random probes, since the exact ones "
                  "would cost too much; "
                  "the risk there is off by about {:.2g} % at most",
                  count, result_.path.size(), 100.0 * largest));
}

}  // namespace alo
