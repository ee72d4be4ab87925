// SPDX-License-Identifier: MIT
#include "risk/difference_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>

#include "problem/signal.hpp"
#include "risk/row_metric.hpp"

namespace alo {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double normal_quantile = 1.959963984540054;  // 97.5 % of the standard normal distribution

// The approximate risk is right when the exact one differs by at most this share of it, or by at most this
// part of its standard error. Five percent seldom move the choice of lambda; a quarter of the standard error
// adds 3 % to the uncertainty that any n rows leave (sqrt(1 + 1/16)). At ten times either value, errors that
// decide between models would pass.
constexpr double tolerated_share = 0.05;
constexpr double tolerated_part_of_se = 0.25;

double weighted_reach(const RowTerms& terms, Index row) {
  return terms.weights[row] * terms.reach[row];
}

// The largest weighted difference of a drawn row that lies beyond its reach; zero where there is none. Rows
// that were not drawn may lie as far beyond theirs.
double farthest_beyond_reach(const RowTerms& terms, const std::vector<Index>& drawn) {
  double farthest = 0.0;
  for (const Index i : drawn) {
    const double difference = terms.weights[i] * std::abs(terms.exact[i] - terms.alo[i]);
    if (difference > weighted_reach(terms, i)) farthest = std::max(farthest, difference);
  }
  return farthest;
}

// Sorts rows by falling w * reach. Ties keep their order, so that the same data give the same sample.
void sort_by_reach(const RowTerms& terms, std::vector<Index>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Index a, Index b) { return weighted_reach(terms, a) > weighted_reach(terms, b); });
}

// What the rows of a kind that `drawn` random rows have not seen can add to the sum. `reaches` are those of
// the unseen rows, falling; `population` counts unseen and drawn rows.
double unseen_share(const std::vector<double>& reaches, Index drawn, Index population) {
  if (reaches.empty()) return 0.0;
  if (drawn < 1) return infinite;
  const auto m = static_cast<double>(drawn);
  double kind = (static_cast<double>(population) - (m - 1.0) / 2.0) * (1.0 - std::pow(0.05, 1.0 / m));
  double sum = 0.0;
  for (const double reach : reaches) {
    if (!(kind > 0.0)) break;
    sum += std::min(kind, 1.0) * reach;
    kind -= 1.0;
  }
  return sum;
}

// The standard error of population * (mean of a sample of it without replacement).
double standard_error_of_total(double spread, Index drawn, Index population) {
  const auto m = static_cast<double>(drawn);
  const auto n = static_cast<double>(population);
  return n * spread * std::sqrt((1.0 - m / n) / m);
}

// The standard deviation (divisor m - 1).
double deviation(const Vector& values) {
  if (values.size() < 2) return 0.0;
  return std::sqrt((values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1));
}

Vector differences(const RowTerms& terms, const std::vector<Index>& rows) {
  return (terms.weights.array() * (terms.exact - terms.alo).array())(rows);
}

}  // namespace

RowTerms row_terms(const Problem& problem, Metric metric, const Vector& fitted, const Vector& alo) {
  const Dataset& data = problem.data();
  const auto term = [&](const Vector& predictor) {
    return row_metric(metric, problem.loss(), predictor, data.response);
  };
  RowTerms terms;
  terms.weights = data.weights;
  terms.alo = term(alo);
  terms.exact = Vector::Constant(problem.rows(), std::numeric_limits<double>::quiet_NaN());
  const Vector none = (term(fitted) - terms.alo).cwiseAbs();
  const Vector twice = (term(2.0 * alo - fitted) - terms.alo).cwiseAbs();
  terms.reach = none.cwiseMax(twice);
  const PredictionRanges ranges = signal_ranges(problem, fitted);
  if (ranges.low.size() > 0) {
    const Vector low = (term(ranges.low) - terms.alo).cwiseAbs();
    const Vector high = (term(ranges.high) - terms.alo).cwiseAbs();
    terms.reach = terms.reach.cwiseMax(low).cwiseMax(high);
  }
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!(data.weights[i] > 0.0)) terms.alo[i] = 0.0;  // may be undefined, and does not count
    if (!std::isfinite(none[i]) || !std::isfinite(twice[i])) terms.reach[i] = infinite;
  }
  return terms;
}

Vector terms_of_rows(const Problem& problem, Metric metric, const Vector& predictor,
                     const std::vector<Index>& rows) {
  const Vector response = problem.data().response(rows);
  return row_metric(metric, problem.loss(), predictor, response);
}

std::vector<Index> RowSample::all() const {
  std::vector<Index> rows;
  std::merge(certain.begin(), certain.end(), drawn.begin(), drawn.end(), std::back_inserter(rows));
  return rows;
}

// The shuffle is written out because that of the standard library differs between implementations.
RowSample sample_rows(const RowTerms& terms, const std::vector<Index>& candidates, Index count,
                      std::uint64_t seed) {
  std::vector<Index> rows;
  for (const Index i : candidates) {
    if (terms.weights[i] > 0.0) rows.push_back(i);
  }
  RowSample sample;
  const auto wanted = static_cast<std::size_t>(std::max<Index>(count, 0));
  if (wanted >= rows.size()) {
    sample.certain = std::move(rows);
    std::sort(sample.certain.begin(), sample.certain.end());
    return sample;
  }
  sort_by_reach(terms, rows);
  const std::size_t certain = wanted / 2;
  std::mt19937_64 generator(seed);
  for (std::size_t i = certain; i < wanted; ++i) {
    std::swap(rows[i], rows[i + generator() % (rows.size() - i)]);
  }
  const auto at = [&](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(i); };
  sample.certain.assign(rows.begin(), at(certain));
  sample.drawn.assign(at(certain), at(wanted));
  std::sort(sample.certain.begin(), sample.certain.end());
  std::sort(sample.drawn.begin(), sample.drawn.end());
  return sample;
}

DifferenceEstimate difference_estimate(const RowTerms& terms, const std::vector<Index>& drawn) {
  const Index rows = terms.weights.size();
  std::vector<bool> is_drawn(static_cast<std::size_t>(rows));
  for (const Index i : drawn) is_drawn[static_cast<std::size_t>(i)] = true;
  DifferenceEstimate estimate;
  estimate.drawn = static_cast<Index>(drawn.size());
  double sum = 0.0;
  const double farthest = farthest_beyond_reach(terms, drawn);
  std::vector<double> reaches;  // of the unseen rows
  for (Index i = 0; i < rows; ++i) {
    if (!(terms.weights[i] > 0.0)) continue;
    if (is_drawn[static_cast<std::size_t>(i)]) {
      sum += terms.weights[i] * terms.alo[i];
    } else if (std::isnan(terms.exact[i])) {
      sum += terms.weights[i] * terms.alo[i];
      reaches.push_back(std::max(weighted_reach(terms, i), farthest));
    } else {
      sum += terms.weights[i] * terms.exact[i];
      ++estimate.settled;
    }
  }
  std::sort(reaches.begin(), reaches.end(), std::greater<>());
  estimate.unseen = static_cast<Index>(reaches.size());
  const Index others = estimate.drawn + estimate.unseen;
  const Vector difference = differences(terms, drawn);
  if (!drawn.empty()) sum += static_cast<double>(others) * difference.mean();
  const double total = terms.weights.sum();
  estimate.mean = sum / total;
  if (estimate.unseen == 0) return estimate;
  if (estimate.drawn < 2) {
    estimate.se = estimate.half_width = infinite;
    return estimate;
  }
  estimate.se = standard_error_of_total(deviation(difference), estimate.drawn, others) / total;
  estimate.half_width = student_quantile(estimate.drawn - 1) * estimate.se +
                        unseen_share(reaches, estimate.drawn, others) / total;
  return estimate;
}

Index rows_for_half_width(const RowTerms& terms, const std::vector<Index>& candidates,
                          const RowSample& sample, double distance) {
  std::vector<Index> rows;
  for (const Index i : candidates) {
    if (terms.weights[i] > 0.0) rows.push_back(i);
  }
  sort_by_reach(terms, rows);
  const auto count = static_cast<Index>(rows.size());
  const double total = terms.weights.sum();
  const double farthest = farthest_beyond_reach(terms, sample.drawn);
  const auto reach = [&](std::size_t at) { return std::max(weighted_reach(terms, rows[at]), farthest); };
  const auto root_mean_square = [&](std::size_t from) {
    double sum = 0.0;
    for (std::size_t i = from; i < rows.size(); ++i) sum += std::pow(reach(i), 2);
    return std::sqrt(sum / static_cast<double>(rows.size() - from));
  };
  // The deviation of the differences over the root mean square of the reach.
  const double before = root_mean_square(sample.certain.size());
  const double share = before > 0.0 ? deviation(differences(terms, sample.drawn)) / before : 0.0;
  const auto is_enough = [&](Index wanted) {
    if (wanted >= count) return true;
    const auto certain = static_cast<std::size_t>(wanted / 2);
    const Index drawn = wanted - wanted / 2;
    const Index others = count - wanted / 2;
    if (drawn < 2) return false;
    // The draw takes its rows evenly from the falling reaches.
    std::vector<double> reaches;
    const double step = static_cast<double>(others) / static_cast<double>(others - drawn);
    for (Index k = 0; k < others - drawn; ++k) {
      const auto at = certain + static_cast<std::size_t>((static_cast<double>(k) + 0.5) * step);
      reaches.push_back(reach(std::min(at, rows.size() - 1)));
    }
    const double spread = share * root_mean_square(certain);
    const double half = student_quantile(drawn - 1) * standard_error_of_total(spread, drawn, others) +
                        unseen_share(reaches, drawn, others);
    return half / total <= distance;
  };
  Index low = static_cast<Index>(sample.certain.size() + sample.drawn.size());
  Index high = count;
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

DifferenceVerdict judge_difference(const RowTerms& terms, const std::vector<Index>& candidates,
                                   const RowSample& sample, const Estimate& approximate) {
  DifferenceVerdict result;
  result.estimate = difference_estimate(terms, sample.drawn);
  const double risk = approximate.mean.value_or(std::numeric_limits<double>::quiet_NaN());
  const double near =
      std::max(tolerated_share * std::abs(risk), tolerated_part_of_se * approximate.se.value_or(0.0));
  const double off = std::abs(result.estimate.mean - risk);
  if (off + result.estimate.half_width <= near) {
    result.verdict = CheckVerdict::trusted;
  } else if (!(off - result.estimate.half_width <= near)) {
    result.verdict = CheckVerdict::refuted;
  } else {
    result.verdict = CheckVerdict::undecided;
    result.deciding_rows = rows_for_half_width(terms, candidates, sample, std::abs(off - near));
  }
  return result;
}

// Exact values up to ten degrees of freedom; from there on the expansion in 1/nu (Abramowitz and Stegun,
// 26.7.5), whose error is below 3e-5.
double student_quantile(Index degrees_of_freedom) {
  constexpr std::array<double, 10> small = {12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
                                            2.446911851,  2.364624252, 2.306004135, 2.262157163, 2.228138852};
  if (degrees_of_freedom < 1) return infinite;
  if (degrees_of_freedom <= 10) return small[static_cast<std::size_t>(degrees_of_freedom - 1)];
  const double r = 1.0 / static_cast<double>(degrees_of_freedom);
  const double z = normal_quantile;
  const double z2 = z * z;
  const double first = (z2 + 1.0) / 4.0;
  const double second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
  const double third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
  const double fourth = ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
  return z * (1.0 + r * (first + r * (second + r * (third + r * fourth))));
}

}  // namespace alo
