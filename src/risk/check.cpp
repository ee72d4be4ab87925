// SPDX-License-Identifier: MIT
#include "alo/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "risk/row_metric.hpp"

namespace alo {

namespace {

// The check agrees when its interval intersects the ALO risk times 1 -+ this share, as tolerated_difference
// of tune.hpp does for the verdict.
constexpr double tolerated_share = 0.1;
constexpr double normal_quantile = 1.959963984540054;  // 97.5 % of the standard normal distribution

// `count` of the rows with positive weight, without replacement, in ascending order.
std::vector<Index> sample_rows(const Vector& weights, Index count, std::uint64_t seed) {
  std::vector<Index> rows;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) rows.push_back(i);
  }
  const auto wanted = std::min(rows.size(), static_cast<std::size_t>(std::max<Index>(count, 1)));
  std::mt19937_64 generator(seed);
  for (std::size_t i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + generator() % (rows.size() - i)]);
  rows.resize(wanted);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// The values of some rows, output after output.
Vector of_rows(const Vector& values, const std::vector<Index>& rows, Index outputs) {
  return by_output(values, outputs)(rows, Eigen::all).reshaped();
}

}  // namespace

std::optional<Check> check_rows(const Problem& problem, const Fit& fit, const RowValues& values,
                                Metric metric, Index count, std::uint64_t seed, const ExactOptions& options,
                                const Monitor& monitor) {
  const Dataset& data = problem.data();
  Check check;
  check.lambda = fit.lambda;
  check.rows = sample_rows(data.weights, count, seed);
  const ExactLeaveOneOut refits =
      exact_leave_one_out(problem, std::span(&fit, 1), check.rows, options, monitor);
  if (!refits.complete) return std::nullopt;
  check.alo = of_rows(values.alo, check.rows, problem.outputs());
  check.exact = of_rows(refits.values[0].linear_predictor, check.rows, problem.outputs());
  const Vector gaps = (check.alo - check.exact).cwiseAbs();
  check.mean_difference = gaps.mean();
  check.max_difference = gaps.maxCoeff();

  const Vector response = data.response(check.rows);
  const Vector weights = data.weights(check.rows);
  const Vector alo_losses = row_metric(metric, problem.loss(), check.alo, response);
  const Vector exact_losses = row_metric(metric, problem.loss(), check.exact, response);
  const double overall =
      data.weights.dot(row_metric(metric, problem.loss(), values.alo, data.response)) / data.weights.sum();
  if (!std::isfinite(overall) || !exact_losses.allFinite()) {
    check.agrees = false;
    return check;
  }
  check.alo_risk.mean = weights.dot(alo_losses) / weights.sum();
  check.exact_risk.mean = weights.dot(exact_losses) / weights.sum();

  // The difference estimator (Cochran 1977, chapter 7): the mean difference of the sample stands for that
  // of all rows. The finite population correction makes the error zero when all rows were refitted.
  const auto sampled = static_cast<double>(check.rows.size());
  const double population = static_cast<double>((data.weights.array() > 0.0).count());
  const double difference = weights.dot(exact_losses - alo_losses) / weights.sum();
  const Vector spread = weights.array() * (exact_losses - alo_losses).array() - weights.array() * difference;
  const double variance = sampled > 1.0 ? spread.squaredNorm() / (sampled - 1.0) : 0.0;
  const double se = std::sqrt(variance * (1.0 - sampled / population) / sampled) / (weights.sum() / sampled);
  check.corrected_risk = overall + difference;
  check.interval_low = check.corrected_risk - normal_quantile * se;
  check.interval_high = check.corrected_risk + normal_quantile * se;
  check.agrees = check.interval_low <= (1.0 + tolerated_share) * overall &&
                 check.interval_high >= (1.0 - tolerated_share) * overall;
  return check;
}

}  // namespace alo
