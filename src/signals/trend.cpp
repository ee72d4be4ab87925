// SPDX-License-Identifier: MIT
#include "signals/trend.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "signals/hat_system.hpp"
#include "signals/trend_search.hpp"

namespace alo {

namespace {

// The rows from the first to the last with weight, and their weighted least-squares line.
struct Rows {
  Index first = 0;
  Index count = 0;
  double centre = 0.0;  // of the rows, measured from the first
  double mean = 0.0;
  double slope = 0.0;

  double line(Index row) const { return mean + slope * (static_cast<double>(row) - centre); }
};

Rows rows_with_weight(const VectorView& signal, const VectorView& weights) {
  Rows rows;
  const auto positive = [](double weight) { return weight > 0.0; };
  const auto begin = std::find_if(weights.begin(), weights.end(), positive);
  if (begin == weights.end()) return rows;
  rows.first = begin - weights.begin();
  rows.count = weights.size() - rows.first;
  while (weights[rows.first + rows.count - 1] == 0.0) --rows.count;
  double weight = 0.0;
  for (Index i = 0; i < rows.count; ++i) {
    const double w = weights[rows.first + i];
    if (w == 0.0) continue;
    weight += w;
    rows.centre += w * static_cast<double>(i);
    rows.mean += w * signal[rows.first + i];
  }
  rows.centre /= weight;
  rows.mean /= weight;
  double spread = 0.0;
  double product = 0.0;
  for (Index i = 0; i < rows.count; ++i) {
    const double w = weights[rows.first + i];
    if (w == 0.0) continue;
    const double distance = static_cast<double>(i) - rows.centre;
    spread += w * distance * distance;
    product += w * distance * (signal[rows.first + i] - rows.mean);
  }
  if (spread > 0.0) rows.slope = product / spread;
  return rows;
}

PiecewiseLinear straight(const Rows& rows, Index all) {
  PiecewiseLinear trend;
  trend.rows = all;
  if (rows.count == 0) return trend;
  trend.node.push_back(rows.first);
  if (rows.count > 1) trend.node.push_back(rows.first + rows.count - 1);
  trend.value.resize(static_cast<Index>(trend.node.size()));
  for (Index k = 0; k < trend.value.size(); ++k) trend.value[k] = rows.line(trend.node[k] - rows.first);
  return trend;
}

// Without a penalty: the signal itself.
PiecewiseLinear interpolation(const Rows& rows, const VectorView& signal, const VectorView& weights) {
  PiecewiseLinear trend;
  trend.rows = signal.size();
  for (Index i = rows.first; i < rows.first + rows.count; ++i) {
    if (weights[i] > 0.0) trend.node.push_back(i);
  }
  trend.value = signal(trend.node);
  return trend;
}

PiecewiseLinear with_line(const HatNodes& nodes, const Rows& rows, Index all) {
  PiecewiseLinear trend;
  trend.rows = all;
  trend.value.resize(static_cast<Index>(nodes.size()));
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    trend.node.push_back(rows.first + nodes[k].row);
    trend.value[static_cast<Index>(k)] = nodes[k].value + rows.line(nodes[k].row);
  }
  return trend;
}

}  // namespace

Vector expand(const PiecewiseLinear& trend) {
  Vector values = Vector::Zero(trend.rows);
  const Index last = trend.value.size() - 1;
  if (last == 0) values.setConstant(trend.value[0]);
  for (Index k = 0; k < last; ++k) {
    // In long double: what rounding bends where a line crosses zero would count lambda times, and lambda
    // grows with the square of the rows.
    const long double from = trend.value[k];
    const long double slope =
        (trend.value[k + 1] - from) / static_cast<long double>(trend.node[k + 1] - trend.node[k]);
    const Index begin = k == 0 ? 0 : trend.node[k];
    const Index end = k + 1 == last ? trend.rows : trend.node[k + 1];
    for (Index i = begin; i < end; ++i) {
      values[i] = static_cast<double>(from + static_cast<long double>(i - trend.node[k]) * slope);
    }
    values[trend.node[k + 1]] = trend.value[k + 1];
  }
  return values;
}

Vector leverages(const PiecewiseLinear& trend, const VectorView& weights) {
  return weights.cwiseProduct(hat_values(trend, weights));
}

Vector hat_values(const PiecewiseLinear& trend, const VectorView& weights) {
  Vector shares = Vector::Zero(trend.rows);
  if (trend.node.empty()) return shares;
  HatNodes nodes;
  for (const Index row : trend.node) nodes.push_back({.row = row});
  sum_rows(nodes, shares, weights);
  HatSystem equations;
  equations.assemble(nodes, weights[nodes.back().row], 0.0, 0.0);
  equations.factorise();
  if (!std::ranges::all_of(equations.pivot, [](double pivot) { return pivot > 0.0; })) return {};
  // G^-1 next to its diagonal, from the end: S_kk = 1 / D_k + L_k^2 S_(k+1,k+1), S_(k,k+1) = -L_k S_(k+1,k+1)
  double there = 1.0 / equations.pivot.back();
  shares[nodes.back().row] = there;
  for (std::size_t k = nodes.size() - 1; k-- > 0;) {
    const double cross = -equations.factor[k] * there;
    const double here = 1.0 / equations.pivot[k] - equations.factor[k] * cross;
    const double step = 1.0 / static_cast<double>(nodes[k].end - nodes[k].row);
    for (Index i = nodes[k].row; i < nodes[k].end; ++i) {
      const double t = static_cast<double>(i - nodes[k].row) * step;
      const double s = 1.0 - t;
      shares[i] = s * s * here + 2.0 * s * t * cross + t * t * there;
    }
    there = here;
  }
  return shares;
}

std::vector<PiecewiseLinear> solve_trend(const VectorView& signal, const VectorView& weights,
                                         std::span<const double> lambdas) {
  const Rows rows = rows_with_weight(signal, weights);
  std::vector<PiecewiseLinear> path(lambdas.size(), straight(rows, signal.size()));
  if (rows.count < 3) return path;

  Vector rest(rows.count);
  double magnitude = std::max(std::abs(rows.line(0)), std::abs(rows.line(rows.count - 1)));
  for (Index i = 0; i < rows.count; ++i) {
    const bool read = weights[rows.first + i] > 0.0;
    rest[i] = read ? signal[rows.first + i] - rows.line(i) : 0.0;
    if (read) magnitude = std::max(magnitude, std::abs(signal[rows.first + i]));
  }
  const Vector inner = weights.segment(rows.first, rows.count);
  const double straight_above = trend_dual(rest, inner, Vector::Zero(rows.count)).lpNorm<Eigen::Infinity>();

  std::vector<std::size_t> falling(lambdas.size());
  std::iota(falling.begin(), falling.end(), std::size_t{0});
  std::ranges::stable_sort(falling, std::greater<>(), [&](std::size_t k) { return lambdas[k]; });
  TrendSearch search(rest, inner, magnitude);
  for (const std::size_t k : falling) {
    if (lambdas[k] >= straight_above) continue;
    if (lambdas[k] == 0.0) {
      path[k] = interpolation(rows, signal, weights);
      continue;
    }
    const bool settled = search.solve(lambdas[k]);
    path[k] = with_line(search.nodes(), rows, signal.size());
    path[k].settled = settled;
  }
  return path;
}

Vector trend_prox(const VectorView& signal, double lambda) {
  return expand(solve_trend(signal, Vector::Ones(signal.size()), std::span(&lambda, 1)).front());
}

Vector trend_dual(const VectorView& signal, const VectorView& weights, const VectorView& values) {
  Vector dual = Vector::Zero(signal.size() + 1);
  long double once = 0.0L;
  long double twice = 0.0L;
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] > 0.0) once += static_cast<long double>(weights[i]) * (signal[i] - values[i]);
    twice += once;
    dual[i + 1] = static_cast<double>(twice);
  }
  return dual;
}

}  // namespace alo
