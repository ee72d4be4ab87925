// SPDX-License-Identifier: MIT
// Where a generated path goes on beyond its grid, and where it is ended before the end of it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "problem/observations.hpp"
#include "risk/row_metric.hpp"
#include "solvers/method.hpp"
#include "tune/approximation.hpp"
#include "tune/run.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

// A path is ended early only where the rest should cost more than this, in operations: some tenths of a
// second of one core. At ten times the value seconds are spent on lambdas that nobody chooses; at a tenth
// short runs are cut for a gain that nobody notices.
constexpr double worth_ending = 1e10;
// It must have passed the minimum by so many lambdas (a third of a decade on most grids), the last few of
// which are worse by so many paired standard errors. Curves have small bumps, but three standard errors of
// the difference, five times in a row, are none. With a third of either number a path could end on a plateau
// before a second, deeper minimum; with three times as many the end comes after most of the cost.
constexpr int least_since_minimum = 8;
constexpr int least_clearly_worse = 5;
constexpr double clear_margin = 3.0;
// Fits that are asked for at a time where the rest is dear: as many as the rule looks back on.
constexpr std::size_t dear_fits_at_once = 5;
// Lambdas over which the growth of the active set is measured, to foresee that of the rest.
constexpr std::size_t growth_window = 10;

// A grid goes on below its end as long as its last few values lowered the risk by more than this share of
// the paired standard error. At ten times the value it would stop where the data do tell the better lambda;
// at a tenth a curve that approaches a limit, as every curve does for lambda towards zero, is chased for as
// long as its digits change.
constexpr double least_gain = 0.1;
// The same, as a share of the risk. As many batches as may be added, each with this gain, lower the risk by
// what is tolerated in the number. At ten times the value curves that fall slowly would be left; at a tenth
// one that approaches its limit smoothly, so that the paired standard error vanishes too, is chased.
constexpr double least_share = tolerated_share / 20.0;
// A path is saturated when the degrees of freedom are this share of the number of rows: held-out predictions
// are extrapolations of an interpolating fit from here on. At 0.9 paths that are still defined would end; at
// 1 - 1e-6 ridges would go on for some decades in which nothing changes.
constexpr double saturated_share = 0.999;
// Of the risk of classes at the largest lambda less than this share is nothing: it is the share of the null
// deviance at which a path ends because the classes are separated. At ten times the value better lambdas of
// classes that are all but certain would be missed; at a tenth some twenty lambdas more would be spent on
// them.
constexpr double negligible_share = 1e-3;
// At most as many values are added as the grid has, this share of it at a time.
constexpr std::size_t batches_per_grid = 20;
// The last few values, and those that are added at a time, span at least this factor of lambda: between
// values that lie closer no curve gains noticeably. It is that of a batch of the default grid with more rows
// than columns; at ten times its logarithm a short grid would have but one batch, at a tenth it would end too
// soon.
constexpr double batch_span = 0.63;

}  // namespace

// Keeps the held-out values of the best lambda so far, and counts those after it.
void TuneRun::follow(const LeaveOneOut& held_out) {
  if (!generated() || !result_.approximated) return;
  const RiskCurve& curve = result_.risk[0];
  const Estimate& risk = curve.alo.back();
  const double sign = sign_of(curve.metric);
  if (risk.mean && (!best_.risk || sign * *risk.mean < sign * *best_.risk)) {
    best_ = {risk.mean, held_out, 0, 0};
    return;
  }
  ++best_.since;
  bool is_worse = false;
  if (risk.mean) {
    const Estimate loss = paired_difference(problem_, curve.metric, held_out, best_.held_out);
    is_worse = loss.mean && loss.se && *loss.mean > clear_margin * *loss.se;
  }
  best_.clearly_worse = is_worse ? best_.clearly_worse + 1 : 0;
}

// The estimated operations of the next lambdas of the path. The number of nonzero coefficients is taken to
// grow as it did over the last few lambdas; nothing being known, it is as large as it can be.
double TuneRun::rest_flops(std::size_t rest) const {
  std::vector<Index> nonzero;
  for (const PathPoint& point : result_.path) nonzero.push_back(point.nonzero);
  const std::size_t done = nonzero.size();
  const auto most = static_cast<double>(std::min(problem_.rows(), problem_.columns()) * problem_.outputs());
  double count = most;
  double growth = 1.0;
  if (done > 1) {
    const std::size_t window = std::min(growth_window, done - 1);
    count = static_cast<double>(nonzero.back());
    const double before = static_cast<double>(nonzero[done - 1 - window]);
    growth = std::max(1.0, std::pow((count + 1.0) / (before + 1.0), 1.0 / static_cast<double>(window)));
  }
  const double largest = std::max(most, count);
  for (std::size_t k = 0; k < rest; ++k) {
    count = std::min(largest, count * growth);
    nonzero.push_back(static_cast<Index>(count));
  }
  const Method& method = route(problem_);
  return method.path_flops(problem_, nonzero) - method.path_flops(problem_, std::span(nonzero).first(done));
}

// How many fits to ask for at a time: few where the path may be ended before its dear part.
std::size_t TuneRun::fits_wanted(std::size_t rest) const {
  const std::size_t wanted = std::min(rest, PathSolver::fits_at_once(problem_));
  const bool may_end = generated() && !options_.full_path && result_.approximated;
  if (!may_end || wanted <= dear_fits_at_once || rest_flops(rest) <= worth_ending) return wanted;
  return dear_fits_at_once;
}

// Whether the path ends here, with so many lambdas of the grid left; says so in the result.
bool TuneRun::is_ended(std::size_t rest) {
  if (rest == 0 || options_.full_path || !generated()) return false;
  if (best_.since < least_since_minimum || best_.clearly_worse < least_clearly_worse) return false;
  const double left = rest_flops(rest);
  std::vector<Index> nonzero;
  for (const PathPoint& point : result_.path) nonzero.push_back(point.nonzero);
  if (left <= std::max(worth_ending, route(problem_).path_flops(problem_, nonzero))) return false;
  result_.path_end = PathEnd{
      lambdas_.back(),
      fmt::format("the last {} lambdas were all worse than the best by more than {:g} standard errors of the "
                  "difference, and the {} smaller ones of the grid would have cost more than all before",
                  best_.clearly_worse, clear_margin, rest)};
  return true;
}

// Whether a generated path ends before a fit that missed its certificate: not near the best lambda so far,
// where the fit matters and its miss must be said.
bool TuneRun::ends_before(const Fit& fit) {
  if (is_certified(fit.status) || !generated() || options_.full_path) return false;
  if (!best_.risk || best_.since < least_since_minimum) return false;
  result_.path_end =
      PathEnd{lambdas_.back(), "the next fit missed its certificate, far from the best lambda"};
  return true;
}

bool TuneRun::at_lower_edge() const {
  const auto choices = grid_choices();
  return choices && lambdas_.size() > 1 && *choices->minimum.index + 1 == static_cast<Index>(lambdas_.size());
}

bool TuneRun::is_saturated() const {
  const auto most =
      observation_count(problem_.data()) * static_cast<double>(std::max<Index>(1, problem_.outputs() - 1));
  return result_.path.back().degrees_of_freedom >= saturated_share * most;
}

// Whether so little of the risk of classes is left that no smaller lambda can gain anything. Predictions of
// classes that the columns separate become ever more certain as lambda falls, and their risk falls with it.
bool TuneRun::nothing_left() const {
  if (problem_.loss().response_kind() == ResponseKind::number || own_risk_.alo.empty()) return false;
  const std::optional<double>& first = own_risk_.alo.front().mean;
  const std::optional<double>& last = own_risk_.alo.back().mean;
  return first && last && *last < negligible_share * *first;
}

// A path that ended because the classes are separated may go on too: a fit that explains all rows can still
// predict others better with a smaller penalty.
bool TuneRun::may_go_on() const {
  return result_.complete && result_.certified && !is_saturated() && !nothing_left();
}

// The held-out values of the best of all lambdas but the last ones.
LeaveOneOut TuneRun::best_before(std::size_t count) {
  const std::size_t kept = lambdas_.size() - std::min(count, lambdas_.size() - 1);
  const RiskCurve& curve = result_.risk[0];
  const std::vector<double> lambdas(lambdas_.begin(), lambdas_.begin() + static_cast<std::ptrdiff_t>(kept));
  const std::vector<Estimate> risk(curve.alo.begin(), curve.alo.begin() + static_cast<std::ptrdiff_t>(kept));
  const auto choices = choose_on_grid(curve.metric, lambdas, risk);
  if (!choices) return {};
  Fit fit = result_.path[static_cast<std::size_t>(*choices->minimum.index)].fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  LeaveOneOut held_out = approximation(problem_, fit, options_.framework);
  repair(fit, held_out);
  return held_out;
}

// Whether a gain over the last few values is worth going on for, beside the risk that they came to.
bool TuneRun::is_worth_more(const Estimate& gain, double risk) const {
  const double error = larger_is_better(result_.risk[0].metric) ? 1.0 - risk : risk;
  return gain.mean && gain.se && *gain.mean > least_gain * *gain.se &&
         *gain.mean > least_share * std::abs(error);
}

// Whether the best lambda so far is noticeably better than an earlier one. One that had no value is worse.
bool TuneRun::has_gained(const LeaveOneOut& before) const {
  if (before.linear_predictor.size() == 0 || !best_.risk) return true;
  return is_worth_more(paired_difference(problem_, result_.risk[0].metric, before, best_.held_out),
                       *best_.risk);
}

// Adds a lambda below the grid. One whose fit misses its certificate is left out, and false is returned.
bool TuneRun::visit_further(double lambda) {
  const Stopwatch clock;
  std::vector<Fit> fits = solver_.fit(std::span(&lambda, 1), monitor_);
  result_.timing.fit_s += clock.seconds();
  if (fits.empty()) result_.complete = false;
  if (fits.empty() || !is_certified(fits[0].status)) return false;
  LeaveOneOut held_out = std::move(approximate(fits).front());
  add_point(std::move(fits[0]), std::move(held_out));
  return true;
}

// Looks at so many lambdas below the grid. Rounding decides whether nearly collinear columns miss their
// certificate, at one lambda and not at the next, so that the path goes on unless all of them missed. False
// where it must not go on.
bool TuneRun::visit_batch(std::size_t count) {
  const double spacing = lambdas_[1] / lambdas_[0];
  double lambda = lambdas_.back();
  bool added = false;
  for (std::size_t k = 0; k < count; ++k) {
    lambda *= spacing;
    if (visit_further(lambda)) {
      added = true;
      if (!may_go_on()) return false;
    } else if (!result_.complete) {
      return false;
    }
  }
  return added;
}

// How many values are added at a time to a grid of so many.
std::size_t TuneRun::batch_of(std::size_t grid) const {
  const double spacing = lambdas_[1] / lambdas_[0];
  const auto values_in_span = static_cast<std::size_t>(
      std::min(std::ceil(std::log(batch_span) / std::log(spacing)), static_cast<double>(grid)));
  return std::clamp<std::size_t>(std::max(grid / batches_per_grid, values_in_span), 1, grid - 1);
}

void TuneRun::say_added(std::size_t before) {
  if (lambdas_.size() == before) return;
  result_.warnings.push_back(
      fmt::format("the smallest risk was at the end of the grid, so {} smaller lambdas were added",
                  lambdas_.size() - before));
}

// A generated grid whose last value has the smallest risk is continued with the same spacing, a few values at
// a time, as long as the last few were worth it.
void TuneRun::extend_grid() {
  if (!generated() || options_.search == Search::exact || !result_.approximated) return;
  if (lambdas_.size() < 2 || !result_.complete) return;
  const std::size_t before = lambdas_.size();
  const std::size_t batch = batch_of(before);
  if (!at_lower_edge()) return;
  ends_flat_ = !has_gained(best_before(batch));
  bool goes_on = !ends_flat_ && may_go_on();
  while (goes_on && lambdas_.size() < 2 * before) {
    const LeaveOneOut last = best_.held_out;
    planned_ = std::min(2 * before, lambdas_.size() + batch);
    goes_on = visit_batch(planned_ - lambdas_.size());
    ends_flat_ = at_lower_edge() && !has_gained(last);
    goes_on = goes_on && at_lower_edge() && !ends_flat_;
  }
  say_added(before);
}

// The same by exact values, if need be from farther above. Where there are none, the formula is compared with
// itself.
bool TuneRun::has_gained_by_evidence(Index before, Index last) {
  if (!evidence_->is_exact(before) && !evidence_->settle(before)) {
    Index known = before;
    while (known > 0 && !evidence_->is_exact(known)) --known;
    if (evidence_->is_exact(known)) before = known;
  }
  const bool both = evidence_->is_exact(before) && evidence_->is_exact(last);
  const KnownRows& from = evidence_->rows(before);
  const KnownRows& to = evidence_->rows(last);
  const Estimate gain = paired_difference(problem_, result_.risk[0].metric, both ? from.best : from.formula,
                                          both ? to.best : to.formula);
  const std::optional<double>& risk = evidence_->at(last).mean;
  return !gain.mean || !risk || is_worth_more(gain, *risk);
}

// Whether the risk at the end of the grid is hardly above the smallest, and below the last one that is known
// before it. Where fits come near to interpolation the risk may rise and fall again, below its first minimum
// (Belkin, Hsu, Ma and Mandal 2019, doi:10.1073/pnas.1903070116).
bool TuneRun::is_falling_at_end() const {
  const auto is_settled = [&](Index k) {
    const BestEstimate& risk = evidence_->at(k);
    return risk.mean && risk.kind >= EstimateKind::sampled && !is_poor(risk);
  };
  const Index last = evidence_->size() - 1;
  Index above = last - 1;
  while (above >= 0 && !is_settled(above)) --above;
  const auto choices = grid_choices();
  if (!choices || above < 0 || !is_settled(last)) return false;
  const Metric metric = result_.risk[0].metric;
  const double smallest = *choices->minimum.risk.mean;
  const double error = std::abs(larger_is_better(metric) ? 1.0 - smallest : smallest);
  return evidence_->looks(last) < evidence_->looks(above) &&
         evidence_->looks(last) <= sign_of(metric) * smallest + tolerated_share * error;
}

// The same where exact values have moved the smallest risk to the end of the grid, or show that it is falling
// there. Each batch is followed by evidence on its last value, and the last batch by the evidence on all of
// them.
void TuneRun::extend_by_evidence() {
  if (!generated() || options_.search == Search::exact || lambdas_.size() < 2) return;
  if (options_.choose == ChooseBy::alo || options_.choose == ChooseBy::kfold) return;
  const std::size_t before = lambdas_.size();
  const auto grid = static_cast<std::size_t>(std::max(2, options_.grid.count));
  const std::size_t batch = std::min(batch_of(grid), before - 1);
  bool goes_on = true;
  const auto may_be_better_below = [&] { return at_lower_edge() || is_falling_at_end(); };
  while (goes_on && !evidence_->stopped() && may_be_better_below() && may_go_on() &&
         lambdas_.size() < 2 * grid) {
    const Index last = evidence_->size() - 1;
    ends_flat_ = !has_gained_by_evidence(last - static_cast<Index>(batch), last);
    end_is_open_ = !ends_flat_ && !evidence_->affords(evidence_->smallest_sample_flops(last));
    if (ends_flat_ || end_is_open_) break;
    goes_on = visit_batch(batch);
    evidence_->grow(looks_);
    goes_on = look_at_end() && goes_on;
  }
  say_added(before);
  if (lambdas_.size() > before) weigh_evidence();
}

// Evidence on the last value of a path; false where that is more than is left of the effort.
bool TuneRun::look_at_end() {
  if (wants_exact()) return evidence_->settle_all(false);
  const Index last = evidence_->size() - 1;
  const bool is_known = evidence_->settle(last) || evidence_->sample(last, evidence_->left());
  evidence_->interpolate();
  return is_known;
}

}  // namespace alo
