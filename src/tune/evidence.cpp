// SPDX-License-Identifier: MIT
#include "tune/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "risk/difference_estimate.hpp"
#include "risk/row_metric.hpp"
#include "solvers/method.hpp"
#include "tune/approximation.hpp"
#include "tune/run.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

// Held-out predictions of exact leave-one-out are kept at all lambdas if they are at most so many numbers (32
// MB); else those of the choices are computed again. Only memory and time depend on it.
constexpr Index kept_numbers = 4'000'000;

FitSize size_of(const Fit& fit, const KnownRows& rows) {
  return {(fit.coefficients.array() != 0.0).count(), rows.formula.degrees_of_freedom};
}

}  // namespace

std::vector<Index> open_rows(const Problem& problem, const KnownRows& rows) {
  std::vector<Index> open;
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!rows.settled[static_cast<std::size_t>(i)] && problem.data().weights[i] > 0.0) open.push_back(i);
  }
  return open;
}

double defined_mean(const Problem& problem, Metric metric, const LeaveOneOut& held_out) {
  if (metric == Metric::r2 || metric == Metric::auc || metric == Metric::auc_recentred) {
    return -std::numeric_limits<double>::infinity();
  }
  const Dataset& data = problem.data();
  const Vector values = row_metric(metric, problem.loss(), held_out.linear_predictor, data.response);
  double sum = 0.0;
  double weight = 0.0;
  for (Index i = 0; i < problem.rows(); ++i) {
    const bool defined = by_output(held_out.linear_predictor, problem.outputs()).row(i).allFinite();
    if (!defined || !(data.weights[i] > 0.0)) continue;
    sum += data.weights[i] * values[i];
    weight += data.weights[i];
  }
  const double none = -std::numeric_limits<double>::infinity();
  return weight > 0.0 ? sign_of(metric) * sum / weight : none;
}

bool formula_is_exact(const Problem& problem) {
  if (!problem.loss().is_quadratic()) return false;
  const auto terms = problem.penalty().separable(problem.columns());
  return terms && (terms->absolute.array() == 0.0).all();
}

ExactEvidence::ExactEvidence(const Problem& problem, const TuneOptions& options, const Monitor& monitor,
                             TuneResult& result, std::vector<double> looks)
    : problem_(problem),
      options_(options),
      monitor_(monitor),
      result_(result),
      formula_is_exact_(formula_is_exact(problem)) {
  grow(std::move(looks));
}

void ExactEvidence::grow(std::vector<double> looks) {
  looks_.insert(looks_.end(), looks.begin() + static_cast<std::ptrdiff_t>(looks_.size()), looks.end());
  std::vector<Index> nonzero;
  for (const PathPoint& point : result_.path) nonzero.push_back(point.nonzero);
  path_flops_ = route(problem_).path_flops(problem_, nonzero);
  allowed_ = options_.effort ? *options_.effort * path_flops_ : std::max(path_flops_, small_effort);
  for (RiskCurve& curve : result_.risk) {
    if (!curve.exact.empty()) curve.exact.resize(result_.path.size());
    for (std::size_t k = curve.estimate.size(); k < curve.alo.size(); ++k) {
      const bool is_exact = formula_is_exact_ && curve.alo[k].mean;
      if (is_exact) curve.estimate.push_back({curve.alo[k], EstimateKind::exact, 0.0});
      if (!is_exact) curve.estimate.push_back({curve.alo[k], EstimateKind::alo, std::nullopt});
    }
  }
}

bool ExactEvidence::is_doubtful(Index k) const {
  return !is_exact(k) && alo::is_doubtful(result_, index(k));
}

bool ExactEvidence::has_refits(Index k) const {
  const std::vector<Estimate>& exact = result_.risk.front().exact;
  return k < static_cast<Index>(exact.size()) && (exact[index(k)].mean || exact[index(k)].undefined > 0);
}

double ExactEvidence::flops(Index k) const {
  const auto known = rows_.find(k);
  const Index settled = known == rows_.end() ? 0 : known->second.count;
  return flops(k, (problem_.data().weights.array() > 0.0).count() - settled);
}

double ExactEvidence::flops(Index k, Index rows) const {
  const PathPoint& point = result_.path[index(k)];
  return route(problem_).exact_flops(problem_, {point.nonzero, point.degrees_of_freedom}, rows);
}

double ExactEvidence::all_flops() const {
  double sum = 0.0;
  for (Index k = 0; k < size(); ++k) {
    if (!is_exact(k)) sum += flops(k);
  }
  return sum;
}

Fit ExactEvidence::fit_at(Index k) const {
  Fit fit = result_.path[index(k)].fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  return fit;
}

KnownRows ExactEvidence::start_at(const Fit& fit) const {
  KnownRows rows;
  rows.formula = approximation(problem_, fit, options_.framework);
  repair_undefined(problem_, fit, options_, monitor_, rows.formula);
  rows.best = rows.formula;
  rows.settled.assign(static_cast<std::size_t>(problem_.rows()), false);
  if (!formula_is_exact_) return rows;
  for (Index i = 0; i < problem_.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    rows.settled[at] = !is_undefined(rows.formula.flags[at]);
    if (rows.settled[at] && problem_.data().weights[i] > 0.0) ++rows.count;
  }
  return rows;
}

KnownRows& ExactEvidence::rows(Index k) {
  const auto found = rows_.find(k);
  if (found != rows_.end()) return found->second;
  const Fit fit = fit_at(k);
  KnownRows& rows = rows_.emplace(k, start_at(fit)).first->second;
  if (const auto kept = exact_.find(k); kept != exact_.end()) {
    rows.settled.assign(rows.settled.size(), false);
    rows.count = 0;
    rows.best.missed = kept->second.missed;
    take(open_rows(problem_, rows), kept->second, rows);
  } else if (is_exact(k)) {
    compute(fit, open_rows(problem_, rows), rows);
  }
  return rows;
}

// Puts the exact predictions of some rows into what is known.
void ExactEvidence::take(const std::vector<Index>& settled, const LeaveOneOut& exact, KnownRows& rows) const {
  const Index outputs = problem_.outputs();
  if (exact.low.size() > 0 && rows.best.low.size() == 0) {
    rows.best.low = rows.best.high = rows.best.linear_predictor;
  }
  for (const Index i : settled) {
    const auto at = static_cast<std::size_t>(i);
    by_output(rows.best.linear_predictor, outputs).row(i) = by_output(exact.linear_predictor, outputs).row(i);
    const bool repaired = is_undefined(rows.formula.flags[at]) && !is_undefined(exact.flags[at]);
    rows.best.flags[at] = repaired ? RowFlag::repaired : exact.flags[at];
    rows.settled[at] = true;
    if (rows.best.low.size() == 0) continue;
    rows.best.low[i] = exact.low.size() > 0 ? exact.low[i] : exact.linear_predictor[i];
    rows.best.high[i] = exact.low.size() > 0 ? exact.high[i] : exact.linear_predictor[i];
  }
  rows.count += static_cast<Index>(settled.size());
}

bool ExactEvidence::compute(const Fit& fit, const std::vector<Index>& wanted, KnownRows& rows) {
  if (wanted.empty()) return true;
  const double work =
      route(problem_).exact_flops(problem_, size_of(fit, rows), static_cast<Index>(wanted.size()));
  spent_ += work;
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem_, std::span(&fit, 1), wanted,
                          {options_.fit, work < small_work ? 1 : options_.threads}, monitor_);
  if (!exact.complete) {
    stopped_ = true;
    return false;
  }
  rows.best.missed += exact.values[0].missed;
  take(wanted, exact.values[0], rows);
  return true;
}

// Puts the predictions that are known at a lambda into the estimates of all metrics there.
void ExactEvidence::update(Index k, EstimateKind kind) {
  const KnownRows& rows = rows_.at(k);
  for (RiskCurve& curve : result_.risk) {
    const Estimate risk = estimate_risk(problem_, curve.metric, rows.best);
    curve.estimate[index(k)] = {risk, kind, std::nullopt};
    if (kind == EstimateKind::exact) note_exact(curve, k, risk);
  }
  look(k, rows.best);
}

void ExactEvidence::look(Index k, const LeaveOneOut& values) {
  const RiskCurve& curve = result_.risk.front();
  const Estimate& estimate = curve.estimate[index(k)];
  if (estimate.mean) {
    looks_[index(k)] = sign_of(curve.metric) * *estimate.mean;
  } else if (is_exact(k)) {
    looks_[index(k)] = std::numeric_limits<double>::infinity();  // it cannot be chosen
  } else {
    looks_[index(k)] = defined_mean(problem_, curve.metric, values);
  }
}

void ExactEvidence::note_exact(RiskCurve& curve, Index k, const Estimate& risk) {
  curve.exact.resize(result_.path.size());
  curve.exact[index(k)] = risk;
  curve.estimate[index(k)] = {risk, EstimateKind::exact, 0.0};
}

bool ExactEvidence::settle(Index k) {
  if (!affords(flops(k))) return false;
  KnownRows& known = rows(k);
  if (!compute(fit_at(k), open_rows(problem_, known), known)) return false;
  update(k, EstimateKind::exact);
  return true;
}

bool ExactEvidence::settle_all(bool within_effort) {
  const double work = all_flops();
  if (within_effort && !affords(work)) return false;
  std::vector<Index> open;
  std::vector<Fit> fits;
  for (Index k = 0; k < size(); ++k) {
    // Where it was asked for, exact leave-one-out is computed even where the formula is known to equal it.
    if (within_effort ? is_exact(k) : has_refits(k)) continue;
    open.push_back(k);
    fits.push_back(fit_at(k));
  }
  if (open.empty()) return true;
  std::vector<Index> all(static_cast<std::size_t>(problem_.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  spent_ += work;
  ExactLeaveOneOut exact = exact_leave_one_out(
      problem_, fits, all, {options_.fit, work < small_work ? 1 : options_.threads}, monitor_);
  if (!exact.complete) {
    stopped_ = true;
    return false;
  }
  const bool keeps = options_.keep_rows || problem_.rows() * problem_.outputs() * size() <= kept_numbers;
  for (std::size_t f = 0; f < open.size(); ++f) {
    for (RiskCurve& curve : result_.risk) {
      note_exact(curve, open[f], estimate_risk(problem_, curve.metric, exact.values[f]));
    }
    look(open[f], exact.values[f]);
    rows_.erase(open[f]);
    if (keeps) exact_.emplace(open[f], std::move(exact.values[f]));
  }
  return true;
}

bool ExactEvidence::settle(const Fit& fit, KnownRows& rows) {
  const std::vector<Index> open = open_rows(problem_, rows);
  const auto count = static_cast<Index>(open.size());
  if (!affords(route(problem_).exact_flops(problem_, size_of(fit, rows), count))) return false;
  return compute(fit, open, rows);
}

}  // namespace alo
