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

// The first of the smallest values, which belongs to the largest lambda of a falling grid.
std::size_t smallest(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (std::isfinite(value)) least = std::min(least, value);
  }
  if (!std::isfinite(least)) throw std::runtime_error("a risk curve is undefined everywhere");
  std::size_t first = 0;
  while (!(values[first] <= least + rounding * std::abs(least))) ++first;
  return first;
}

template <class Value>
double largest_of(const std::vector<Agreement>& seeds, Value Agreement::*member) {
  double largest = 0;
  for (const Agreement& seed : seeds) largest = std::max(largest, static_cast<double>(seed.*member));
  return largest;
}

template <class Value>
double mean_of(const std::vector<Agreement>& seeds, Value Agreement::*member) {
  double sum = 0;
  for (const Agreement& seed : seeds) sum += static_cast<double>(seed.*member);
  return sum / static_cast<double>(seeds.size());
}

}  // namespace

const std::vector<std::string> agreement_header = {"seeds",
                                                   "mean over λ",
                                                   "largest",
                                                   "at ALO's choice, mean",
                                                   "largest",
                                                   "steps apart, each seed",
                                                   "exact risk above its smallest, largest",
                                                   "λ warned of",
                                                   "at the others ÷ standard error, worst seed"};

std::vector<double> falling(double first, double last, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(first * std::pow(last / first, k / (count - 1.0)));
  return values;
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
  record["seconds"] = {
      {"fit", result.timing.fit_s}, {"alo", result.timing.alo_s}, {"kfold", result.timing.kfold_s}};
  if (options.exact) add_exact(problem, options, record);
  return record;
}

Agreement agreement(const std::vector<double>& approximate, const std::vector<double>& exact,
                    const std::vector<double>& error, const std::vector<double>& leverage) {
  Agreement result;
  double count = 0, trusted = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double distance = std::abs(approximate[k] - exact[k]);
    if (!std::isfinite(distance / exact[k])) continue;
    ++count;
    result.mean += distance / exact[k];
    result.largest = std::max(result.largest, distance / exact[k]);
    if (!leverage.empty() && leverage[k] >= warned_leverage) continue;
    ++trusted;
    if (!error.empty()) result.mean_in_errors += distance / error[k];
  }
  result.mean /= count;
  result.mean_in_errors /= std::max(trusted, 1.0);
  result.warned = 1 - trusted / count;
  const std::size_t chosen = smallest(approximate);
  const std::size_t best = smallest(exact);
  result.at_choice = std::abs(approximate[chosen] - exact[chosen]) / exact[chosen];
  result.steps = std::abs(static_cast<int>(chosen) - static_cast<int>(best));
  result.regret = exact[chosen] / exact[best] - 1;
  if (!error.empty()) result.regret_in_errors = (exact[chosen] - exact[best]) / error[best];
  return result;
}

double Agreements::mean() const {
  return mean_of(seeds, &Agreement::mean);
}
double Agreements::worst_mean() const {
  return largest_of(seeds, &Agreement::mean);
}
double Agreements::largest() const {
  return largest_of(seeds, &Agreement::largest);
}
double Agreements::mean_at_choice() const {
  return mean_of(seeds, &Agreement::at_choice);
}
double Agreements::largest_at_choice() const {
  return largest_of(seeds, &Agreement::at_choice);
}
double Agreements::mean_steps() const {
  return mean_of(seeds, &Agreement::steps);
}
int Agreements::most_steps() const {
  return static_cast<int>(largest_of(seeds, &Agreement::steps));
}
double Agreements::mean_regret() const {
  return mean_of(seeds, &Agreement::regret);
}
double Agreements::largest_regret() const {
  return largest_of(seeds, &Agreement::regret);
}
double Agreements::worst_in_errors() const {
  return largest_of(seeds, &Agreement::mean_in_errors);
}
double Agreements::worst_regret_in_errors() const {
  return largest_of(seeds, &Agreement::regret_in_errors);
}
double Agreements::warned() const {
  return mean_of(seeds, &Agreement::warned);
}

void Agreements::add(const Agreements& others) {
  seeds.insert(seeds.end(), others.seeds.begin(), others.seeds.end());
}

std::vector<std::string> Agreements::cells() const {
  std::string steps;
  for (const Agreement& seed : seeds) steps += fmt::format("{}{}", steps.empty() ? "" : " ", seed.steps);
  return {fmt::format("{}", seeds.size()),
          percent(mean()),
          percent(largest()),
          percent(mean_at_choice()),
          percent(largest_at_choice()),
          steps,
          percent(largest_regret()),
          percent(warned()),
          fmt::format("{:.2f}", worst_in_errors())};
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value == 0) return "0";
  if (value < 0.001) return fmt::format("{:.0e} %", value);
  return value < 0.1 ? fmt::format("{:.3f} %", value) : fmt::format("{:.2f} %", value);
}

}  // namespace paper
