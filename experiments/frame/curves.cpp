// SPDX-License-Identifier: MIT
#include "curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "stopwatch.hpp"

namespace paper {

namespace {

std::vector<double> means(const std::vector<alo::Estimate>& estimates) {
  std::vector<double> out;
  for (const alo::Estimate& estimate : estimates) {
    out.push_back(estimate.mean.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return out;
}

// The standard errors; NaN where there is none.
std::vector<double> errors(const std::vector<alo::Estimate>& estimates) {
  std::vector<double> out;
  for (const alo::Estimate& estimate : estimates) {
    out.push_back(estimate.se.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return out;
}

double certified_share(const alo::PathPoint& point) {
  const auto& certified = point.rows.value().certified;
  // There is no value where no row can be certified or refuted.
  if (std::none_of(certified.begin(), certified.end(), [](const auto& row) { return row.has_value(); })) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto count = std::count(certified.begin(), certified.end(), std::optional<bool>(true));
  return static_cast<double>(count) / static_cast<double>(certified.size());
}

void add_exact(const alo::Problem& problem, const CurveOptions& options, Json& record) {
  const alo::Path path = alo::fit_path(problem, options.lambdas);
  std::vector<alo::Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), alo::Index{0});
  alo::ExactLeaveOneOut exact;
  record["seconds"]["exact"] = compare::seconds_of([&] {
    exact = alo::exact_leave_one_out(problem, path.fits, rows, {.fit = {}, .threads = options.threads});
  });
  record["refits"] = rows.size() * path.fits.size();
  record["missed"] = exact.missed();
  for (const alo::Metric metric : options.metrics) {
    std::vector<alo::Estimate> estimates;
    for (const alo::LeaveOneOut& value : exact.values) {
      estimates.push_back(alo::estimate_risk(problem, metric, value));
    }
    Json& risk = record[std::string(alo::to_string(metric))];
    risk["exact"] = list(means(estimates));
    risk["error"] = list(errors(estimates));
  }
}

// Relative difference below which two risks are equal: a fit that no longer changes with lambda has risks
// that differ by rounding. Ten times the value would change nothing.
constexpr double rounding = 1e-12;

// The number of timed calls: the fastest of three is hardly disturbed by other work.
constexpr int timing_calls = 3;

// The place in the grid that `alo` chooses by itself for a metric, with the effort that it takes by default.
Json default_choice(const alo::Problem& problem, const CurveOptions& options, alo::Metric metric) {
  alo::TuneOptions tune;
  tune.lambdas = options.lambdas;
  tune.metrics = {metric};
  tune.threads = options.threads;
  const alo::TuneResult result = alo::tune(problem, tune);
  if (!result.minimum) throw std::runtime_error("the default has no choice");
  const auto at = std::find(options.lambdas.begin(), options.lambdas.end(), result.minimum->choice.lambda);
  if (at == options.lambdas.end()) throw std::runtime_error("the default choice is not on the grid");
  return {{"place", at - options.lambdas.begin()},
          {"kind", std::string(alo::to_string(result.minimum->kind))},
          {"reliable", result.verdict.reliable}};
}

void add_defaults(const alo::Problem& problem, const CurveOptions& options, Json& record) {
  double seconds = 0;
  for (const alo::Metric metric : options.metrics) {
    Json choice;
    seconds += compare::seconds_of([&] { choice = default_choice(problem, options, metric); });
    record[std::string(alo::to_string(metric))]["default"] = std::move(choice);
  }
  record["seconds"]["default"] = seconds / static_cast<double>(options.metrics.size());
}

// A mean over those values of a grid that count.
struct Mean {
  double sum = 0, count = 0;
  void add(double value, bool counts = true) {
    if (!counts) return;
    sum += value;
    ++count;
  }
  double value() const { return sum / std::max(count, 1.0); }
};

}  // namespace

const std::vector<std::string> agreement_header = {"seeds",
                                                   "mean over λ",
                                                   "largest",
                                                   "mean without very small λ",
                                                   "mean from the best λ on",
                                                   "at ALO's choice, mean",
                                                   "largest",
                                                   "leverage of 0.9 and more",
                                                   "mean at the others"};
const std::vector<std::string> choice_header = {"seeds",
                                                "ALO's choice: steps apart, mean",
                                                "most",
                                                "exact risk above its smallest, mean",
                                                "largest",
                                                "seeds above 5 %",
                                                "default choice: exact risk above its smallest, mean",
                                                "largest",
                                                "seeds above 5 %"};

std::vector<double> falling(double first, double last, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(first * std::pow(last / first, k / (count - 1.0)));
  return values;
}

PathSeconds time_path(const alo::Problem& problem, const std::vector<double>& lambdas, int calls) {
  const double never = std::numeric_limits<double>::infinity();
  PathSeconds best{never, never};
  for (int call = 0; call < calls; ++call) {
    best.fit = std::min(best.fit, compare::seconds_of([&] { alo::fit_path(problem, lambdas); }));
    best.fit_and_alo = std::min(best.fit_and_alo, compare::seconds_of([&] {
                                  const alo::Path path = alo::fit_path(problem, lambdas, {.carry_hat = true});
                                  for (const alo::Fit& one : path.fits)
                                    alo::approximate_leave_one_out(problem, one);
                                }));
  }
  return best;
}

double median(std::vector<double> values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Json trace(const alo::Problem& problem, const CurveOptions& options) {
  alo::TuneOptions tune;
  tune.lambdas = options.lambdas;
  tune.metrics = options.metrics;
  tune.folds = options.folds;
  tune.choose = alo::ChooseBy::alo;
  tune.keep_rows = options.exact;
  tune.threads = options.threads;
  const alo::TuneResult result = alo::tune(problem, tune);
  if (!result.certified) throw std::runtime_error("a fit missed its certificate");
  Json record;
  record["lambda"] = list(options.lambdas);
  for (const alo::RiskCurve& curve : result.risk) {
    record[std::string(alo::to_string(curve.metric))] = {{"alo", list(means(curve.alo))},
                                                         {"kfold", list(means(curve.kfold))},
                                                         {"error", list(errors(curve.alo))}};
  }
  std::vector<double> truth, leverage, nonzero, certified;
  for (const alo::PathPoint& point : result.path) {
    if (options.truth) truth.push_back(options.truth(point.fit));
    leverage.push_back(point.max_leverage);
    nonzero.push_back(static_cast<double>(point.nonzero));
    if (point.rows) certified.push_back(certified_share(point));
  }
  record["truth"] = list(truth);
  record["leverage"] = list(leverage);
  record["nonzero"] = list(nonzero);
  record["certified"] = list(certified);
  if (options.timed) {
    const PathSeconds seconds = time_path(problem, options.lambdas, timing_calls);
    record["seconds"] = {{"fit", seconds.fit}, {"fit and alo", seconds.fit_and_alo}};
  }
  add_defaults(problem, options, record);
  if (options.exact) add_exact(problem, options, record);
  return record;
}

std::size_t place_of_smallest(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (std::isfinite(value)) least = std::min(least, value);
  }
  if (!std::isfinite(least)) throw std::runtime_error("a risk curve is undefined everywhere");
  std::size_t first = 0;
  while (!(values[first] <= least + rounding * std::abs(least))) ++first;
  return first;
}

Agreement agreement(const Curves& curves) {
  const std::vector<double>&approximate = curves.approximate, &exact = curves.exact;
  const std::size_t chosen = place_of_smallest(approximate), best = place_of_smallest(exact);
  Agreement result;
  Mean all, not_small, from_best, without_warning;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double distance = std::abs(approximate[k] / exact[k] - 1);
    if (!std::isfinite(distance)) continue;
    result.largest = std::max(result.largest, distance);
    all.add(distance);
    not_small.add(distance, curves.lambda.empty() || curves.lambda[k] >= very_small * curves.lambda[best]);
    from_best.add(distance, k <= best);
    without_warning.add(distance, curves.leverage.empty() || curves.leverage[k] < warned_leverage);
  }
  result.mean = all.value();
  result.mean_not_small = not_small.value();
  result.mean_from_best = from_best.value();
  result.mean_without_warning = without_warning.value();
  result.warned = 1 - without_warning.count / all.count;
  const auto above_smallest = [&](std::size_t place) { return exact[place] / exact[best] - 1; };
  result.at_choice = std::abs(approximate[chosen] / exact[chosen] - 1);
  result.steps = std::abs(static_cast<int>(chosen) - static_cast<int>(best));
  result.regret = above_smallest(chosen);
  if (curves.by_default) {
    result.default_regret = above_smallest(*curves.by_default);
    const double share_of_error =
        curves.error.empty() ? 0 : alo::tolerated_share_of_se * curves.error[best] / exact[best];
    result.default_harm = result.default_regret / std::max(alo::tolerated_share, share_of_error);
  }
  return result;
}

double Agreements::mean(double Agreement::*member) const {
  Mean mean;
  for (const Agreement& seed : seeds) mean.add(seed.*member);
  return mean.value();
}

double Agreements::largest(double Agreement::*member) const {
  double largest = 0;
  for (const Agreement& seed : seeds) largest = std::max(largest, seed.*member);
  return largest;
}

double Agreements::mean_steps() const {
  Mean mean;
  for (const Agreement& seed : seeds) mean.add(seed.steps);
  return mean.value();
}

int Agreements::most_steps() const {
  int most = 0;
  for (const Agreement& seed : seeds) most = std::max(most, seed.steps);
  return most;
}

double Agreements::share_above(double Agreement::*member, double limit) const {
  Mean share;
  for (const Agreement& seed : seeds) share.add(seed.*member > limit ? 1 : 0);
  return share.value();
}

void Agreements::add(const Agreements& others) {
  seeds.insert(seeds.end(), others.seeds.begin(), others.seeds.end());
}

std::vector<std::string> Agreements::agreement_cells() const {
  return {fmt::format("{}", seeds.size()),
          percent(mean(&Agreement::mean)),
          percent(largest(&Agreement::largest)),
          percent(mean(&Agreement::mean_not_small)),
          percent(mean(&Agreement::mean_from_best)),
          percent(mean(&Agreement::at_choice)),
          percent(largest(&Agreement::at_choice)),
          percent(mean(&Agreement::warned)),
          percent(mean(&Agreement::mean_without_warning))};
}

std::vector<std::string> Agreements::choice_cells() const {
  const auto harmed = [&](double Agreement::*member) {
    return fmt::format("{:.0f}", share_above(member, harmful) * static_cast<double>(seeds.size()));
  };
  return {fmt::format("{}", seeds.size()),           fmt::format("{:.1f}", mean_steps()),
          fmt::format("{}", most_steps()),           percent(mean(&Agreement::regret)),
          percent(largest(&Agreement::regret)),      harmed(&Agreement::regret),
          percent(mean(&Agreement::default_regret)), percent(largest(&Agreement::default_regret)),
          harmed(&Agreement::default_regret)};
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value == 0) return "0";
  if (value < 0.001) return fmt::format("{:.0e} %", value);
  return value < 0.1 ? fmt::format("{:.3f} %", value) : fmt::format("{:.2f} %", value);
}

}  // namespace paper
