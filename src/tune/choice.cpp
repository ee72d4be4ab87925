// SPDX-License-Identifier: MIT
// The stage of a run that chooses lambdas on the curve, and says what is odd about them.
#include <cmath>

#include <fmt/format.h>

#include "tune/run.hpp"

namespace alo {

namespace {

// The exact curve's own choice is reported when its risk differs from that at the approximation's choice by
// more than this share of a standard error. A smaller difference is noise; at ten times the value even a
// choice that is clearly worse would pass in silence.
constexpr double worth_saying = 0.5;
// An exact search ends just inside its last segment (risk/segments.cpp), so a choice within this share of
// the smallest lambda is at the edge. It is far below the spacing of a grid (1.1) and far above the 1e-10
// of the search; ten times the value would change nothing.
constexpr double edge_slack = 1e-4;

}  // namespace

const std::vector<Estimate>& TuneRun::choosing_curve() const {
  const RiskCurve& curve = result_.risk[0];
  if (result_.approximated) return curve.alo;
  return curve.exact.empty() ? curve.kfold : curve.exact;
}

std::optional<Choices> TuneRun::grid_choices() const {
  const std::vector<Estimate>& curve = choosing_curve();
  if (curve.empty()) return std::nullopt;
  const std::vector<Estimate>& own = result_.approximated      ? own_risk_.alo
                                     : own_risk_.exact.empty() ? own_risk_.kfold
                                                               : own_risk_.exact;
  return choose_on_grid(result_.risk[0].metric, lambdas_, curve, tie_breaker(own));
}

Selected TuneRun::select(const Choice& choice) {
  Selected selected;
  selected.choice = choice;
  selected.point.fit = choice.index ? result_.path[static_cast<std::size_t>(*choice.index)].fit
                                    : PathSolver(problem_, options_.fit).fit(choice.lambda);
  Fit& fit = selected.point.fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  LeaveOneOut held_out = approximate(fit);
  repair(fit, held_out);
  measure(selected.point, held_out);
  selected.point.rows = row_values(selected.point, held_out);
  return selected;
}

void TuneRun::warn_about_edges() {
  if (lambdas_.size() < 2) return;
  const Selected& best = result_.minimum.value();
  const bool at_end = best.choice.lambda <= (1.0 + edge_slack) * lambdas_.back() && result_.complete;
  // Where extend_grid() looked further, or had no reason to.
  const bool was_continued = generated() && result_.search == Search::grid && result_.approximated;
  if (at_end && was_continued && !result_.open_end) {
    result_.warnings.push_back(
        fmt::format("the smallest risk is at the smallest lambda ({:.4g}); {}", lambdas_.back(),
                    is_saturated() || is_separated()
                        ? "there are as many degrees of freedom as the data can tell, so it ends there"
                        : "smaller ones were not looked at, since the last ones hardly lowered it"));
  } else if (at_end) {
    result_.warnings.push_back(
        {fmt::format(
             "the smallest risk is at the smallest lambda ({:.4g}), so the true minimum may lie below "
             "it; {} to look there",
             lambdas_.back(), generated() ? "use a longer grid" : "give smaller lambdas"),
         {{generated() ? Setting::lambda_ratio : Setting::lambda}}});
  }
  const bool is_null = best.choice.lambda >= lambdas_.front() && best.point.nonzero == 0;
  if (is_null || (generated() && best.choice.index == 0)) {
    result_.warnings.push_back(fmt::format(
        "the null model wins: {}",
        is_null ? "no penalised coefficient improves held-out prediction"
                : "the smallest risk is at the largest lambda, where next to nothing is explained"));
  }
}

// Warns where exact leave-one-out along the path would choose another lambda than the approximation, which
// chooses.
void TuneRun::warn_about_exact_choice() {
  const RiskCurve& curve = result_.risk[0];
  if (curve.exact.empty() || !result_.minimum->choice.index) return;
  const auto exact = choose_on_grid(curve.metric, lambdas_, curve.exact, tie_breaker(own_risk_.exact));
  if (!exact || std::abs(*exact->minimum.index - *result_.minimum->choice.index) <= 1) return;
  const Estimate& here = curve.exact[static_cast<std::size_t>(*result_.minimum->choice.index)];
  const Estimate& best = exact->minimum.risk;
  if (!here.mean || !best.mean || !best.se) return;
  if (std::abs(*here.mean - *best.mean) <= worth_saying * *best.se) return;
  result_.warnings.push_back(fmt::format(
      "by exact leave-one-out the best lambda is {:.4g} ({} {:.4g}), not the approximation's {:.4g} ({:.4g})",
      exact->minimum.lambda, to_string(curve.metric), *best.mean, result_.minimum->choice.lambda,
      *here.mean));
}

void TuneRun::choose() {
  if (lambdas_.empty()) return;
  const Stopwatch clock;
  std::optional<Choices> choices = grid_choices();
  if (options_.search == Search::exact && result_.complete) {
    choices = choose_on_segments(problem_, result_.risk[0].metric, lambdas_.back());
  }
  if (!choices) {
    result_.warnings.push_back(
        {fmt::format("no lambda can be chosen: at every one of {} some row has no leave-one-out prediction "
                     "(leverage one); use larger lambdas or exact refits without such rows",
                     lambdas_.size()),
         {{Setting::repair, "exact"}}});
    return;
  }
  result_.minimum = select(choices->minimum);
  result_.one_se = select(choices->one_se);
  result_.timing.alo_s += clock.seconds();
  warn_about_edges();
  warn_about_exact_choice();
}

}  // namespace alo
