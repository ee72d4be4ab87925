// SPDX-License-Identifier: MIT
// The stage of a run that chooses lambdas on the curve, and says what is odd about them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linalg/special_values.hpp"
#include "risk/row_metric.hpp"
#include "tune/run.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

// Another curve's own choice is reported when its risk there differs from its risk at the choice by more than
// this share of a standard error. A smaller difference is noise; at ten times the value even a
// choice that is clearly worse would pass in silence.
constexpr double worth_saying = 0.5;
// An exact search ends just inside its last segment (risk/segments.cpp), so a choice within this share of
// the smallest lambda is at the edge. It is far below the spacing of a grid (1.1) and far above the 1e-10
// of the search; ten times the value would change nothing.
constexpr double edge_slack = 1e-4;
// Where the rows in which the formula is in doubt are settled and the others are not, the exact risk is at
// most this multiple of the estimate: of 60 such risks of nearly separable classes it was 1.3 % above at
// most. At ten times the excess a lambda that is clearly better than all that was settled is not chosen; at a
// tenth a few rows that were not settled choose.
constexpr double repaired_excess = 1.25;

// The largest lambda whose risk is worse than that at the minimum by at most one standard error of the
// difference, row by row: where two fits err in the same rows the difference is known far better than either.
Choice one_se_paired(const Problem& problem, Metric metric, const Choice& minimum,
                     const std::vector<double>& lambdas, const std::vector<Estimate>& curve,
                     ExactEvidence& evidence) {
  for (Index k = 0; k < *minimum.index; ++k) {
    const Estimate& risk = curve[static_cast<std::size_t>(k)];
    if (!risk.mean) continue;
    const Estimate difference =
        paired_difference(problem, metric, evidence.rows(k).best, evidence.rows(*minimum.index).best);
    if (difference.mean && *difference.mean <= difference.se.value_or(0.0)) {
      return {lambdas[static_cast<std::size_t>(k)], k, risk};
    }
  }
  return minimum;
}

Message nothing_to_choose() {
  Message message(
      fmt::format("no lambda can be chosen: at every one some row has no leave-one-out prediction (leverage "
                  "one); use larger lambdas, more effort or exact refits without such rows"));
  message.hints.push_back({Setting::effort});
  message.hints.push_back({Setting::repair, "exact"});
  return message;
}

bool has_mean(const std::vector<Estimate>& curve) {
  return std::any_of(curve.begin(), curve.end(), [](const Estimate& risk) { return risk.mean.has_value(); });
}

}  // namespace

// The best estimates that there are, without those that cannot be defended: where some risks were settled, a
// lambda at which the formula is in doubt, or was corrected, is chosen by what was settled there. A sample
// that leaves the risk in doubt settles nothing, since the least of several would be chosen for its error,
// and neither does a repaired risk; unless all that they may come to is better than what was settled.
std::vector<Estimate> TuneRun::defensible_curve() const {
  const RiskCurve& curve = result_.risk[0];
  const double sign = sign_of(curve.metric);
  double settled = infinity;
  const auto is_settled = [](const BestEstimate& risk) {
    return risk.mean && risk.kind >= EstimateKind::sampled && !is_poor(risk);
  };
  for (const BestEstimate& risk : curve.estimate) {
    if (is_settled(risk)) settled = std::min(settled, sign * *risk.mean);
  }
  std::vector<Estimate> best(curve.estimate.begin(), curve.estimate.end());
  if (std::isinf(settled)) return best;
  const auto is_defensible = [&](const BestEstimate& risk) {
    if (is_settled(risk) || !risk.mean) return is_settled(risk);
    if (risk.kind == EstimateKind::sampled) return sign * *risk.mean + *risk.error < settled;
    return risk.kind == EstimateKind::repaired && sign > 0.0 && repaired_excess * *risk.mean < settled;
  };
  for (std::size_t k = 0; k < best.size(); ++k) {
    const bool in_doubt = is_doubtful(result_, k) || curve.estimate[k].kind == EstimateKind::corrected;
    if (in_doubt && !is_defensible(curve.estimate[k])) best[k] = {};
  }
  return best;
}

std::vector<Estimate> TuneRun::choosing_curve() const {
  const RiskCurve& curve = result_.risk[0];
  switch (options_.choose) {
    case ChooseBy::alo:
      return curve.alo;
    case ChooseBy::kfold:
      return curve.kfold.empty() ? curve.alo : curve.kfold;
    case ChooseBy::exact:
    case ChooseBy::automatic:
      break;
  }
  if (curve.estimate.empty()) return curve.alo;  // the path is still being walked
  const std::vector<Estimate> best = defensible_curve();
  return has_mean(best) || curve.kfold.empty() ? best : curve.kfold;
}

void TuneRun::name_chooser() {
  const RiskCurve& curve = result_.risk[0];
  const auto is_exact = [](const BestEstimate& risk) { return risk.kind == EstimateKind::exact; };
  const auto is_alo = [](const BestEstimate& risk) { return risk.kind == EstimateKind::alo; };
  result_.chosen_by = options_.choose;
  if (options_.search == Search::exact && result_.complete) {
    result_.chosen_by = ChooseBy::alo;  // by its closed form between knots
    return;
  }
  if (options_.choose == ChooseBy::alo || options_.choose == ChooseBy::kfold) return;
  const std::vector<Estimate> best(curve.estimate.begin(), curve.estimate.end());
  if (!has_mean(best) && !curve.kfold.empty()) {
    result_.chosen_by = ChooseBy::kfold;
  } else if (std::all_of(curve.estimate.begin(), curve.estimate.end(), is_exact)) {
    result_.chosen_by = ChooseBy::exact;
  } else if (std::all_of(curve.estimate.begin(), curve.estimate.end(), is_alo)) {
    result_.chosen_by = ChooseBy::alo;
  } else {
    result_.chosen_by = ChooseBy::automatic;
  }
}

std::optional<Choices> TuneRun::grid_choices() const {
  const std::vector<Estimate> curve = choosing_curve();
  if (curve.empty()) return std::nullopt;
  return choose_on_grid(result_.risk[0].metric, lambdas_, curve, tie_breaker());
}

// By the approximation, or without one by exact leave-one-out or folds.
TieBreaker TuneRun::tie_breaker() const {
  if (result_.approximated) return {own_risk_.metric, own_risk_.alo};
  return {own_risk_.metric, own_risk_.exact.empty() ? own_risk_.kfold : own_risk_.exact};
}

// The values of the rows at a choice, and where all of them were computed the exact risks that they give.
void TuneRun::take_rows(Selected& selected, const KnownRows& rows, bool computed) {
  measure(selected.point, rows.formula);
  selected.point.rows = row_values(selected.point, rows.formula);
  selected.missed = rows.best.missed;
  const bool all = rows.count == (problem_.data().weights.array() > 0.0).count();
  if (computed) {
    RowValues& values = *selected.point.rows;
    note_exact(values, rows.best);
    for (Index i = 0; i < problem_.rows(); ++i) {
      if (rows.settled[static_cast<std::size_t>(i)]) continue;
      by_output(values.exact, problem_.outputs()).row(i).setConstant(undefined);
      if (values.exact_low.size() > 0) values.exact_low[i] = values.exact_high[i] = undefined;
    }
  }
  if (!computed || !all) return;
  for (const RiskCurve& curve : result_.risk) {
    selected.exact.push_back(estimate_risk(problem_, curve.metric, rows.best));
  }
}

Selected TuneRun::select_on_path(const Choice& choice) {
  Selected selected;
  selected.choice = choice;
  selected.point.fit = result_.path[static_cast<std::size_t>(*choice.index)].fit;
  Fit& fit = selected.point.fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  const BestEstimate& estimate = evidence_->at(*choice.index);
  selected.kind = estimate.kind;
  selected.error = estimate.error;
  const KnownRows& rows = evidence_->rows(*choice.index);
  const bool is_formula = formula_is_exact(problem_) && !evidence_->has_refits(*choice.index);
  take_rows(selected, rows, rows.count > 0 && !is_formula);
  // The rows may have been computed again, in another order of summation; the result says one number.
  for (const RiskCurve& curve : result_.risk) {
    selected.alo.push_back(curve.alo[static_cast<std::size_t>(*choice.index)]);
  }
  return selected;
}

// A choice between the lambdas of the path, which the approximation made; exact leave-one-out is then made
// there, if it is affordable.
Selected TuneRun::select_between(const Choice& choice) {
  Selected selected;
  selected.choice = choice;
  selected.point.fit = PathSolver(problem_, options_.fit).fit(choice.lambda);
  Fit& fit = selected.point.fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  KnownRows rows = evidence_->start_at(fit);
  const Stopwatch clock;
  const bool wanted = options_.choose != ChooseBy::alo && result_.complete;
  const bool is_exact = wanted && evidence_->settle(fit, rows);
  result_.timing.exact_s += clock.seconds();
  take_rows(selected, rows, rows.count > 0 && !formula_is_exact(problem_));
  for (const RiskCurve& curve : result_.risk) {
    selected.alo.push_back(estimate_risk(problem_, curve.metric, rows.formula));
  }
  if (!is_exact || selected.exact.empty()) return selected;
  selected.kind = EstimateKind::exact;
  selected.error = 0.0;
  selected.choice.risk = selected.exact.front();
  return selected;
}

Selected TuneRun::select(const Choice& choice) {
  return choice.index ? select_on_path(choice) : select_between(choice);
}

void TuneRun::warn_about_edges() {
  if (lambdas_.size() < 2) return;
  const Selected& best = result_.minimum.value();
  const bool at_end = best.choice.lambda <= (1.0 + edge_slack) * lambdas_.back() && result_.complete;
  if (at_end && is_open_end()) {
    const std::string_view advice = generated() ? "use a longer grid" : "give smaller lambdas";
    Message reason(
        fmt::format("the smallest risk is at the smallest lambda ({:.4g}), so the true minimum may lie "
                    "below it; {} to look there",
                    lambdas_.back(), advice));
    reason.hints.push_back({generated() ? Setting::lambda_ratio : Setting::lambda});
    result_.open_end = std::move(reason);
    result_.warnings.push_back(*result_.open_end);
  } else if (at_end && generated()) {
    const std::string_view reason =
        ends_flat_ ? "smaller ones were not looked at, since the last ones hardly lowered it"
                   : "there are as many degrees of freedom as the data can tell, so it ends there";
    result_.warnings.push_back(
        fmt::format("the smallest risk is at the smallest lambda ({:.4g}); {}", lambdas_.back(), reason));
  }
  if (!at_end && end_is_open_) {
    Message reason(
        fmt::format("the risk is falling at the smallest lambda ({:.4g}), where it is hardly above that "
                    "at the chosen one, so a second minimum may lie below it; use a longer grid to "
                    "look there",
                    lambdas_.back()));
    reason.hints.push_back({Setting::lambda_ratio});
    result_.open_end = std::move(reason);
    result_.warnings.push_back(*result_.open_end);
  }
  const bool is_null = best.choice.lambda >= lambdas_.front() && best.point.nonzero == 0;
  if (is_null || (generated() && best.choice.index == 0)) {
    result_.warnings.push_back(fmt::format(
        "the null model wins: {}",
        is_null ? "no penalised coefficient improves held-out prediction"
                : "the smallest risk is at the largest lambda, where next to nothing is explained"));
  }
}

// Warns where another curve that was asked for would choose another lambda.
void TuneRun::warn_about_other_choices() {
  const RiskCurve& curve = result_.risk[0];
  if (options_.exact && result_.chosen_by != ChooseBy::exact)
    warn_about_other_choice(curve.exact, "exact leave-one-out");
  if (result_.chosen_by != ChooseBy::kfold) warn_about_other_choice(curve.kfold, "cross-validation");
}

void TuneRun::warn_about_other_choice(const std::vector<Estimate>& curve, std::string_view by) {
  if (curve.empty() || !result_.minimum->choice.index) return;
  const Metric metric = result_.risk[0].metric;
  const auto other = choose_on_grid(metric, lambdas_, curve, tie_breaker());
  if (!other || std::abs(*other->minimum.index - *result_.minimum->choice.index) <= 1) return;
  const Estimate& here = curve[static_cast<std::size_t>(*result_.minimum->choice.index)];
  const Estimate& best = other->minimum.risk;
  if (!here.mean || !best.mean || !best.se) return;
  if (std::abs(*here.mean - *best.mean) <= worth_saying * *best.se) return;
  result_.warnings.push_back(fmt::format(
      "{} would choose lambda {:.4g}, where its {} is {:.4g}, and not {:.4g}, where it is {:.4g}", by,
      other->minimum.lambda, to_string(metric), *best.mean, result_.minimum->choice.lambda, *here.mean));
}

void TuneRun::choose() {
  if (lambdas_.empty()) return;
  const Stopwatch clock;
  std::optional<Choices> choices = grid_choices();
  const Metric metric = result_.risk[0].metric;
  if (options_.search == Search::exact && result_.complete) {
    choices = choose_on_segments(problem_, metric, lambdas_.back());
  } else if (choices && options_.rule == Rule::one_se_paired) {
    choices->one_se =
        one_se_paired(problem_, metric, choices->minimum, lambdas_, choosing_curve(), *evidence_);
  }
  name_chooser();
  if (!choices) {
    result_.warnings.push_back(nothing_to_choose());
    return;
  }
  result_.minimum = select(choices->minimum);
  result_.one_se =
      choices->one_se.lambda == choices->minimum.lambda ? result_.minimum : select(choices->one_se);
  result_.timing.alo_s += clock.seconds();
  note_evidence();
  note_missed(result_.chosen()->missed, "leave-one-out fits at the chosen lambda");
  warn_about_edges();
  warn_about_other_choices();
}

}  // namespace alo
