// SPDX-License-Identifier: MIT
#include "tune/evidence.hpp"

#include <algorithm>
#include <array>
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

// The formula divides by 1 - h: at leverage one half an error of its quadratic model is doubled. Of the rows
// of a lasso with more columns than rows a few per cent have more. At 0.05 nearly all rows would be settled,
// which is exact leave-one-out; at 0.9 rows remain whose errors are magnified tenfold.
constexpr double high_leverage = 0.5;
// The share of rows that are settled because the formula moves them farthest. On handwritten digits (1991 x
// 784, logistic lasso) 5 % of the rows carried an error of the risk from several per cent up to a
// hundredfold, and 0.2 % was left. At ten times the share half of the rows are settled; at a tenth one row of
// 200 is.
constexpr double share_of_far_rows = 0.05;
// The rows of a first sample, of which half are those in which the formula may err most. Its error says how
// many more are needed. With ten times as many, samples that would have sufficed cost ten times as much; a
// tenth says next to nothing of the rows outside.
constexpr Index first_sample = 60;
// A sample below this is not worth its price: the interval of so few rows is wider than the doubt.
constexpr Index smallest_sample = 20;
// Samples that are taken one after another; each foretells the next one's size.
constexpr int most_samples = 4;
// Held-out predictions of exact leave-one-out are kept at all lambdas if they are at most so many numbers (32
// MB); else those of the choices are computed again. Only memory and time depend on it.
constexpr Index kept_numbers = 4'000'000;

// Where a lambda lies between two others, from 0 to 1, in log lambda.
double place_between(double lambda, double from, double to) {
  return std::log(lambda / from) / std::log(to / from);
}

// A value known at two places, between them: geometrically where both are positive, else linearly.
double between(double from, double to, double place) {
  if (from > 0.0 && to > 0.0) return from * std::pow(to / from, place);
  return from + place * (to - from);
}

// The approximate risk between two lambdas with better ones, times the ratio of the better to the approximate
// risk there, interpolated; plus the difference where risks are not positive.
Estimate corrected(const Estimate& alo, const std::array<const Estimate*, 2>& alo_at,
                   const std::array<const Estimate*, 2>& better, double place) {
  const double above = *better[0]->mean;
  const double below = *better[1]->mean;
  const bool positive = std::min({above, below, *alo_at[0]->mean, *alo_at[1]->mean, *alo.mean}) > 0.0;
  if (!positive) {
    const double shift = (1.0 - place) * (above - *alo_at[0]->mean) + place * (below - *alo_at[1]->mean);
    return {*alo.mean + shift, alo.se, 0};
  }
  const double ratio = between(above / *alo_at[0]->mean, below / *alo_at[1]->mean, place);
  return {*alo.mean * ratio, ratio * alo.se.value_or(0.0), 0};
}

double sign_of(Metric metric) {
  return larger_is_better(metric) ? -1.0 : 1.0;
}

// The rows with positive weight that are not settled.
std::vector<Index> open_rows(const Problem& problem, const KnownRows& rows) {
  std::vector<Index> open;
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!rows.settled[static_cast<std::size_t>(i)] && problem.data().weights[i] > 0.0) open.push_back(i);
  }
  return open;
}

// How far the formula moves the prediction of every row.
Vector steps(const Problem& problem, const Fit& fit, const LeaveOneOut& formula) {
  const Vector moved = formula.linear_predictor - fit.linear_predictor;
  return by_output(moved, problem.outputs()).rowwise().norm();
}

// The open rows in which the formula is in doubt.
std::vector<Index> doubtful_rows(const Problem& problem, const Fit& fit, const KnownRows& rows) {
  std::vector<Index> open = open_rows(problem, rows);
  const Vector moved = steps(problem, fit, rows.formula);
  const auto certainly = [&](Index i) {
    return !std::isfinite(moved[i]) || rows.formula.leverage[i] >= high_leverage;
  };
  const auto sure = std::stable_partition(open.begin(), open.end(), certainly);
  const auto far = static_cast<std::ptrdiff_t>(
      std::ceil(share_of_far_rows * static_cast<double>((problem.data().weights.array() > 0.0).count())));
  const auto last = sure + std::min<std::ptrdiff_t>(far, open.end() - sure);
  std::partial_sort(sure, last, open.end(), [&](Index a, Index b) { return moved[a] > moved[b]; });
  open.erase(std::find_if(sure, last, [&](Index i) { return moved[i] == 0.0; }), open.end());
  std::sort(open.begin(), open.end());
  return open;
}

}  // namespace

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
  return route(problem_).exact_flops(problem_, result_.path[index(k)].nonzero, rows);
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
    compute(fit, result_.path[index(k)].nonzero, open_rows(problem_, rows), rows);
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

bool ExactEvidence::compute(const Fit& fit, Index nonzero, const std::vector<Index>& wanted,
                            KnownRows& rows) {
  if (wanted.empty()) return true;
  const double work = route(problem_).exact_flops(problem_, nonzero, static_cast<Index>(wanted.size()));
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
  if (!compute(fit_at(k), result_.path[index(k)].nonzero, open_rows(problem_, known), known)) return false;
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

bool ExactEvidence::repair(Index k) {
  if (options_.repair == Repair::none) return false;
  KnownRows& known = rows(k);
  const Fit fit = fit_at(k);
  const std::vector<Index> doubtful = doubtful_rows(problem_, fit, known);
  if (doubtful.empty() || !affords(flops(k, static_cast<Index>(doubtful.size())))) return false;
  if (!compute(fit, result_.path[index(k)].nonzero, doubtful, known)) return false;
  const bool all = open_rows(problem_, known).empty();
  update(k, all ? EstimateKind::exact : EstimateKind::repaired);
  return true;
}

bool ExactEvidence::sample(Index k) {
  KnownRows& known = rows(k);
  const Fit fit = fit_at(k);
  if (known.best.undefined() > 0) return false;  // nothing is known of those rows
  const Metric metric = result_.risk.front().metric;
  const RowTerms start = row_terms(problem_, metric, fit.linear_predictor, known.formula.linear_predictor);
  Index wanted = first_sample;
  bool sampled = false;
  for (int round = 0; round < most_samples; ++round) {
    const std::vector<Index> open = open_rows(problem_, known);
    wanted = std::min(wanted, static_cast<Index>(open.size()));
    while (wanted >= smallest_sample && !affords(flops(k, wanted))) wanted /= 2;
    if (wanted < std::min<Index>(smallest_sample, static_cast<Index>(open.size()))) return sampled;
    const RowSample drawn = sample_rows(start, open, wanted, options_.seed);
    if (!compute(fit, result_.path[index(k)].nonzero, drawn.all(), known)) return sampled;
    sampled = true;
    const BestEstimate& estimate = note_sample(k, fit, drawn);
    const bool known_enough = !estimate.error || is_tolerable(*estimate.error, estimate);
    if (estimate.kind == EstimateKind::exact || known_enough) return true;
    RowTerms terms = start;
    fill_exact(metric, known, terms);
    const double tolerated = std::max(tolerated_share * std::abs(*estimate.mean),
                                      tolerated_share_of_se * estimate.se.value_or(0.0));
    wanted = rows_for_half_width(terms, open, drawn, tolerated);
  }
  return sampled;
}

// Puts the exact values of settled rows into the terms of a mean.
void ExactEvidence::fill_exact(Metric metric, const KnownRows& rows, RowTerms& terms) const {
  const Vector values =
      row_metric(metric, problem_.loss(), rows.best.linear_predictor, problem_.data().response);
  for (Index i = 0; i < problem_.rows(); ++i) {
    if (rows.settled[static_cast<std::size_t>(i)]) terms.exact[i] = values[i];
  }
}

// The estimates of all metrics from settled rows, of which some were drawn at random. A metric that is not a
// mean is estimated from its rows as they are; r2 moves with the mean of its squared errors.
const BestEstimate& ExactEvidence::note_sample(Index k, const Fit& fit, const RowSample& drawn) {
  const KnownRows& known = rows_.at(k);
  if (open_rows(problem_, known).empty()) {
    update(k, EstimateKind::exact);
    return at(k);
  }
  for (RiskCurve& curve : result_.risk) {
    RowTerms terms = row_terms(problem_, curve.metric, fit.linear_predictor, known.formula.linear_predictor);
    fill_exact(curve.metric, known, terms);
    const DifferenceEstimate found = difference_estimate(terms, drawn.drawn);
    BestEstimate& estimate = curve.estimate[index(k)];
    estimate = {estimate_risk(problem_, curve.metric, known.best), EstimateKind::sampled, found.half_width};
    if (curve.metric == Metric::auc || curve.metric == Metric::auc_recentred) {
      estimate.error.reset();
    } else if (curve.metric == Metric::r2) {
      const Vector squares =
          row_metric(Metric::mse, problem_.loss(), known.best.linear_predictor, problem_.data().response);
      const double scale = (1.0 - *estimate.mean) * terms.weights.sum() / terms.weights.dot(squares);
      estimate.mean = 1.0 - scale * found.mean;
      estimate.error = scale * found.half_width;
    } else {
      estimate.mean = found.mean;
    }
  }
  look(k, known.best);
  return at(k);
}

void ExactEvidence::interpolate() {
  std::vector<Index> known;
  for (Index k = 0; k < size(); ++k) {
    const bool is_known = at(k).kind == EstimateKind::exact || at(k).kind == EstimateKind::sampled;
    if (is_known && at(k).mean && result_.path[index(k)].fit.lambda > 0.0) known.push_back(k);
  }
  for (std::size_t a = 0; a + 1 < known.size(); ++a) {
    for (Index k = known[a] + 1; k < known[a + 1]; ++k) correct(k, known[a], known[a + 1]);
  }
}

void ExactEvidence::correct(Index k, Index above, Index below) {
  const EstimateKind kind = at(k).kind;
  if (kind != EstimateKind::alo && kind != EstimateKind::corrected) return;
  const auto lambda = [&](Index at) { return result_.path[index(at)].fit.lambda; };
  const double place = place_between(lambda(k), lambda(above), lambda(below));
  for (RiskCurve& curve : result_.risk) {
    const Estimate& high = curve.estimate[index(above)];
    const Estimate& low = curve.estimate[index(below)];
    const std::array<const Estimate*, 2> alo_at = {&curve.alo[index(above)], &curve.alo[index(below)]};
    const Estimate& alo = curve.alo[index(k)];
    // Where the formula is in doubt its ratio to the exact risk jumps from lambda to lambda, and the exact
    // risk does not.
    const bool has_ratio = !is_doubtful(k) && alo.mean && alo_at[0]->mean && alo_at[1]->mean;
    const Estimate risk = has_ratio
                              ? corrected(alo, alo_at, {&high, &low}, place)
                              : Estimate{between(*high.mean, *low.mean, place),
                                         between(high.se.value_or(0.0), low.se.value_or(0.0), place), 0};
    curve.estimate[index(k)] = {risk, EstimateKind::corrected, std::nullopt};
  }
  looks_[index(k)] = sign_of(result_.risk.front().metric) * *at(k).mean;
}

bool ExactEvidence::settle(const Fit& fit, Index nonzero, KnownRows& rows) {
  const std::vector<Index> open = open_rows(problem_, rows);
  const auto count = static_cast<Index>(open.size());
  if (!affords(route(problem_).exact_flops(problem_, nonzero, count))) return false;
  return compute(fit, nonzero, open, rows);
}

}  // namespace alo
