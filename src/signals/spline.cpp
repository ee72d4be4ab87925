// SPDX-License-Identifier: MIT
#include "signals/spline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "signals/discrete_splines.hpp"
#include "signals/multiplier.hpp"
#include "signals/spline_dual.hpp"
#include "signals/spline_search.hpp"
#include "signals/spline_system.hpp"

namespace alo {

namespace {

DiscreteSplines splines_of(const PiecewisePolynomial& spline) {
  return {spline.rows, spline.order, spline.difference};
}

// The minimiser without a penalty: the signal itself, interpolated linearly at rows without weight, which for
// order two have no knots. More rows than the order have weight.
PiecewisePolynomial interpolation(const VectorView& signal, const VectorView& weights, int order) {
  const Index rows = signal.size();
  std::vector<Index> given;
  for (Index i = 0; i < rows; ++i) {
    if (weights[i] > 0.0) given.push_back(i);
  }
  Vector values = Vector::Zero(rows);
  std::size_t next = 1;
  for (Index i = 0; i < rows; ++i) {
    while (next + 1 < given.size() && given[next] < i) ++next;
    if (weights[i] > 0.0) {
      values[i] = signal[i];
    } else {
      const auto [left, right] = std::pair(given[next - 1], given[next]);
      const double slope = (signal[right] - signal[left]) / static_cast<double>(right - left);
      values[i] = signal[left] + static_cast<double>(i - left) * slope;
    }
  }
  PiecewisePolynomial spline{.rows = rows, .order = order};
  std::vector<Index> all;
  for (Index m = 0; m < rows - order; ++m) {
    const bool bends = order > 2 || (weights[m + 1] > 0.0 && m + 1 > given.front() && m + 1 < given.back());
    if (bends) spline.difference.push_back(m);
    all.push_back(m);
  }
  const DiscreteSplines splines = splines_of(spline);
  spline.coefficient = splines.convert({rows, order, all}, values);  // each B-spline there is one at a row
  spline.value = splines.differences_of(spline.coefficient);
  return spline;
}

PiecewisePolynomial found(const SplineSearch& search, Index rows, int order) {
  PiecewisePolynomial spline{.rows = rows, .order = order};
  spline.coefficient = search.coefficients();
  spline.value.resize(static_cast<Index>(search.knots().size()));
  for (const ActiveKnot& knot : search.knots()) {
    spline.value[static_cast<Index>(spline.difference.size())] = knot.value;
    spline.difference.push_back(knot.difference);
  }
  return spline;
}

}  // namespace

// The values are computed in long double, because the rounding of differences that are zero counts lambda
// times in the objective.
Vector expand(const PiecewisePolynomial& spline) {
  if (spline.rows == 0) return {};
  Vector result(spline.rows);
  splines_of(spline).visit_values<long double>(
      spline.coefficient, [&](Index row, long double value) { result[row] = static_cast<double>(value); });
  return result;
}

Vector hat_values(const PiecewisePolynomial& spline, const VectorView& weights) {
  const DiscreteSplines splines = splines_of(spline);
  if (!splines.is_determined_by(weights)) return {};
  const SplineSystem system = PieceSums().system(splines, weights, weights);
  return system.is_definite() ? system.hat_values(splines) : Vector();
}

Vector spline_multipliers(const PiecewisePolynomial& spline, const VectorView& signal,
                          const VectorView& weights, double lambda) {
  ActiveKnots knots;
  for (std::size_t k = 0; k < spline.difference.size(); ++k) {
    const double sign = spline.value[static_cast<Index>(k)] < 0.0 ? -1.0 : 1.0;
    knots.push_back({.difference = spline.difference[k], .sign = sign});
  }
  return spline_dual<long double>(splines_of(spline), spline.coefficient, signal, weights, knots, lambda)
      .head(spline.rows - spline.order);
}

Vector nearest_spline(const VectorView& values, int order, const std::vector<Index>& differences) {
  PiecewisePolynomial spline{.rows = values.size(), .order = order, .difference = differences};
  const DiscreteSplines splines = splines_of(spline);
  const SplineSystem system = PieceSums().system(splines, Vector::Ones(values.size()), values);
  spline.coefficient = system.solve(system.right());
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
  if (signal.size() == 0) return std::vector<PiecewisePolynomial>(lambdas.size());
  order = static_cast<int>(std::min<Index>(order, signal.size()));
  std::vector<std::size_t> falling(lambdas.size());
  std::iota(falling.begin(), falling.end(), std::size_t{0});
  std::ranges::stable_sort(falling, std::greater<>(), [&](std::size_t k) { return lambdas[k]; });
  SplineSearch search(signal, weights, order);
  std::vector<PiecewisePolynomial> path(lambdas.size(), found(search, signal.size(), order));
  const Vector multipliers = spline_multipliers(path.front(), signal, weights, 0.0);
  // A polynomial of degree below k interpolates k rows, so that no penalty is needed.
  const bool is_polynomial = (weights.array() > 0.0).count() <= order;
  const double polynomial_above = is_polynomial ? 0.0 : multipliers.lpNorm<Eigen::Infinity>();
  for (const std::size_t k : falling) {
    if (lambdas[k] >= polynomial_above) continue;
    if (lambdas[k] == 0.0) {
      path[k] = interpolation(signal, weights, order);
      continue;
    }
    const bool converged = search.solve(lambdas[k]);
    path[k] = found(search, signal.size(), order);
    path[k].converged = converged;
  }
  return path;
}

}  // namespace alo
