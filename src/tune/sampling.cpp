// SPDX-License-Identifier: MIT
// Exact leave-one-out of some rows at a lambda: those in which the formula is in doubt, and a random sample.
#include <algorithm>
#include <cmath>

#include "risk/row_metric.hpp"
#include "solvers/method.hpp"
#include "tune/evidence.hpp"
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

// How far the formula moves the prediction of every row.
Vector steps(const Problem& problem, const Fit& fit, const LeaveOneOut& formula) {
  const Vector moved = formula.linear_predictor - fit.linear_predictor;
  return by_output(moved, problem.outputs()).rowwise().norm();
}

// The open rows in which the formula is in doubt; with some of those that it moves farthest.
std::vector<Index> doubtful_rows(const Problem& problem, const Fit& fit, const KnownRows& rows,
                                 double share_of_far) {
  std::vector<Index> open = open_rows(problem, rows);
  const Vector moved = steps(problem, fit, rows.formula);
  const auto certainly = [&](Index i) {
    return !std::isfinite(moved[i]) || rows.formula.leverage[i] >= high_leverage;
  };
  const auto sure = std::stable_partition(open.begin(), open.end(), certainly);
  const auto far = static_cast<std::ptrdiff_t>(
      std::ceil(share_of_far * static_cast<double>((problem.data().weights.array() > 0.0).count())));
  const auto last = sure + std::min<std::ptrdiff_t>(far, open.end() - sure);
  std::partial_sort(sure, last, open.end(), [&](Index a, Index b) { return moved[a] > moved[b]; });
  open.erase(std::find_if(sure, last, [&](Index i) { return moved[i] == 0.0; }), open.end());
  std::sort(open.begin(), open.end());
  return open;
}

}  // namespace

double ExactEvidence::sample_flops(Index k) const {
  return flops(k, std::min(first_sample, problem_.rows()));
}

double ExactEvidence::smallest_sample_flops(Index k) const {
  return flops(k, std::min(smallest_sample, problem_.rows()));
}

bool ExactEvidence::repair(Index k) {
  return settle_doubtful(k, share_of_far_rows, left());
}

bool ExactEvidence::repair_leverages(Index k, double work) {
  return settle_doubtful(k, 0.0, std::min(work, left()));
}

bool ExactEvidence::settle_doubtful(Index k, double share_of_far, double work) {
  if (options_.repair == Repair::none) return false;
  KnownRows& known = rows(k);
  const Fit fit = fit_at(k);
  const std::vector<Index> doubtful = doubtful_rows(problem_, fit, known, share_of_far);
  if (doubtful.empty() || flops(k, static_cast<Index>(doubtful.size())) > work) return false;
  if (!compute(fit, doubtful, known)) return false;
  const bool all = open_rows(problem_, known).empty();
  update(k, all ? EstimateKind::exact : EstimateKind::repaired);
  return true;
}

// Settles the rows that the formula cannot predict; true if it is then known what the others are compared
// with.
bool ExactEvidence::settle_undefined(Index k, double work) {
  KnownRows& known = rows(k);
  if (known.best.undefined() == 0) return true;
  if (options_.repair == Repair::none) return false;
  std::vector<Index> undefined;
  for (const Index i : open_rows(problem_, known)) {
    if (is_undefined(known.best.flags[index(i)])) undefined.push_back(i);
  }
  if (undefined.empty() || flops(k, static_cast<Index>(undefined.size())) > work) return false;
  return compute(fit_at(k), undefined, known) && known.best.undefined() == 0;
}

// Settles the rows in which the formula is proved to be exact, as a check does, so that the sample is drawn
// from the others alone: where the proofs of all rows cost no more than a first sample.
void ExactEvidence::settle_proved(Index k, double work) {
  const double proofs = route(problem_).certify_rows_flops(problem_, result_.path[index(k)].nonzero);
  if (proofs > std::min(work, sample_flops(k))) return;
  KnownRows& known = rows(k);
  if (known.proofs) return;
  known.proofs = true;
  spent_ += proofs;
  const std::vector<std::optional<bool>> certified = certify_rows(problem_, fit_at(k));
  for (const Index i : open_rows(problem_, known)) {
    if (!certified[index(i)].value_or(false) || is_undefined(known.formula.flags[index(i)])) continue;
    known.settled[index(i)] = true;
    ++known.count;
  }
}

bool ExactEvidence::sample(Index k, double work) {
  const double end = spent_ + std::min(work, left());
  if (!settle_undefined(k, end - spent_)) return false;  // nothing is known of those rows
  settle_proved(k, end - spent_);
  KnownRows& known = rows(k);
  const Fit fit = fit_at(k);
  const Metric metric = result_.risk.front().metric;
  const RowTerms start = row_terms(problem_, metric, fit.linear_predictor, known.formula.linear_predictor);
  Index wanted = first_sample;
  bool sampled = false;
  for (int round = 0; round < most_samples; ++round) {
    const std::vector<Index> open = open_rows(problem_, known);
    wanted = std::min(wanted, static_cast<Index>(open.size()));
    // A first sample may be smaller. Of the later ones half would not do.
    while (!sampled && wanted > smallest_sample && spent_ + flops(k, wanted) > end) {
      wanted = std::max(wanted / 2, smallest_sample);
    }
    if (spent_ + flops(k, wanted) > end) return sampled;
    if (wanted < std::min<Index>(smallest_sample, static_cast<Index>(open.size()))) return sampled;
    const RowSample drawn = sample_rows(start, open, wanted, options_.seed);
    if (!compute(fit, drawn.all(), known)) return sampled;
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

}  // namespace alo
