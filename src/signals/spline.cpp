// SPDX-License-Identifier: MIT
#include "signals/spline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "signals/discrete_splines.hpp"
#include "signals/multiplier.hpp"
#include "signals/spline_search.hpp"
#include "signals/spline_system.hpp"

namespace alo {

namespace {

DiscreteSplines splines_of(const PiecewisePolynomial& spline) {
  return {spline.rows, spline.order, spline.difference};
}

// Without a penalty: the signal itself, and anything between its neighbours for a row without weight.
PiecewisePolynomial interpolation(const VectorView& signal, const VectorView& weights, int order) {
  PiecewisePolynomial spline{.rows = signal.size(), .order = order};
  for (Index m = 0; m < signal.size() - order; ++m) spline.difference.push_back(m);
  spline.coefficient = signal;  // each B-spline is one at a row of its own
  double before = 0.0;
  for (Index i = signal.size(); i-- > 0;) {
    if (weights[i] > 0.0) before = signal[i];
  }
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] == 0.0) spline.coefficient[i] = before;
    before = spline.coefficient[i];
  }
  spline.value = splines_of(spline).differences_of(spline.coefficient);
  return spline;
}

PiecewisePolynomial found(const SplineSearch& search, Index rows, int order) {
  PiecewisePolynomial spline{.rows = rows, .order = order};
  spline.coefficient = search.coefficients();
  spline.value.resize(static_cast<Index>(search.nodes().size()));
  for (const SplineNode& node : search.nodes()) {
    spline.value[static_cast<Index>(spline.difference.size())] = node.value;
    spline.difference.push_back(node.difference);
  }
  return spline;
}

}  // namespace

// In long double: what rounding leaves of differences that are zero would count lambda times.
Vector expand(const PiecewisePolynomial& spline) {
  const std::vector<long double> values = splines_of(spline).combine<long double>(spline.coefficient);
  Vector result(spline.rows);
  std::ranges::transform(values, result.begin(),
                         [](long double value) { return static_cast<double>(value); });
  return result;
}

Vector hat_values(const PiecewisePolynomial& spline, const VectorView& weights) {
  const DiscreteSplines splines = splines_of(spline);
  const SplineSystem system(splines, weights);
  return system.is_definite() ? system.hat_values(splines) : Vector();
}

Vector spline_multipliers(const PiecewisePolynomial& spline, const VectorView& signal,
                          const VectorView& weights, double lambda) {
  SplineNodes nodes;
  for (std::size_t k = 0; k < spline.difference.size(); ++k) {
    const double sign = spline.value[static_cast<Index>(k)] < 0.0 ? -1.0 : 1.0;
    nodes.push_back({.difference = spline.difference[k], .sign = sign});
  }
  const std::vector<long double> values = splines_of(spline).combine<long double>(spline.coefficient);
  const std::vector<long double> dual = spline_dual(signal, weights, values, spline.order, nodes, lambda);
  Vector result(spline.rows - spline.order);
  for (Index m = 0; m < result.size(); ++m) {
    result[m] = static_cast<double>(dual[static_cast<std::size_t>(m)]);
  }
  return result;
}

Vector nearest_spline(const VectorView& values, int order, const std::vector<Index>& differences) {
  PiecewisePolynomial spline{.rows = values.size(), .order = order, .difference = differences};
  const DiscreteSplines splines = splines_of(spline);
  spline.coefficient = SplineSystem(splines, Vector::Ones(values.size())).solve(splines.products(values));
  return expand(spline);
}

Vector marked_multipliers(const PiecewisePolynomial& spline, const VectorView& signal,
                          const VectorView& weights, double lambda) {
  Vector result = spline_multipliers(spline, signal, weights, lambda);
  std::size_t next = 0;
  for (Index m = 0; m < result.size(); ++m) {
    const bool is_node = next < spline.difference.size() && spline.difference[next] == m;
    const double term = is_node ? spline.value[static_cast<Index>(next++)] : 0.0;
    result[m] = marked_multiplier(result[m], term, lambda);
  }
  return result;
}

std::vector<PiecewisePolynomial> solve_spline(const VectorView& signal, const VectorView& weights, int order,
                                              std::span<const double> lambdas) {
  if (lambdas.empty()) return {};
  std::vector<std::size_t> falling(lambdas.size());
  std::iota(falling.begin(), falling.end(), std::size_t{0});
  std::ranges::stable_sort(falling, std::greater<>(), [&](std::size_t k) { return lambdas[k]; });
  SplineSearch search(signal, weights, order);
  std::vector<PiecewisePolynomial> path(lambdas.size(), found(search, signal.size(), order));
  const double polynomial_above =
      spline_multipliers(path.front(), signal, weights, 0.0).lpNorm<Eigen::Infinity>();
  for (const std::size_t k : falling) {
    if (lambdas[k] >= polynomial_above) continue;
    if (lambdas[k] == 0.0) {
      path[k] = interpolation(signal, weights, order);
      continue;
    }
    const bool settled = search.solve(lambdas[k]);
    path[k] = found(search, signal.size(), order);
    path[k].settled = settled;
  }
  return path;
}

}  // namespace alo
