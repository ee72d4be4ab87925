// SPDX-License-Identifier: MIT
#include "formula/held_out_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "certificate/null_fit.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A slope within this share of its threshold is at it: fits are certified to about 1e-10. At a tenth fits
// that are not unique may be taken for unique; at ten times a column that misses its threshold by 1e-7 may be
// given a coefficient, and predictions differ from optimal ones by as much.
constexpr double threshold_share = 1e-8;
// A direction along which the prediction moves by less than this share of the row's length leaves it as it
// is: rounding of the basis of these directions is about 1e-14. At ten times, predictions that are determined
// by columns of condition 1e8 alone count as moving.
constexpr double still_share = 1e-9;
// A safeguard against cycles of the linear program, whose steps are usually one or two.
constexpr int most_steps = 200;

// The columns that may take part, and the sign that each coefficient keeps (0: any).
struct Movable {
  std::vector<Index> columns;
  std::vector<double> signs;
};

Movable movable_columns(const Problem& problem, const SeparableTerms& terms, const Vector& scaled,
                        const Vector& slopes, double lambda) {
  Movable result;
  const std::vector<Index>& constant = problem.constant_columns();
  for (Index j = 0; j < problem.columns(); ++j) {
    const double threshold = lambda * terms.absolute[j];
    const double square = terms.square[j] + terms.fixed_square[j];
    if (square > 0.0 || std::isinf(threshold)) continue;  // one value is best, or none but zero is allowed
    if (std::binary_search(constant.begin(), constant.end(), j)) continue;
    const bool at_threshold = std::abs(slopes[j]) >= (1.0 - threshold_share) * threshold;
    if (scaled[j] == 0.0 && !at_threshold) continue;
    result.columns.push_back(j);
    result.signs.push_back(threshold == 0.0 ? 0.0
                                            : std::copysign(1.0, scaled[j] != 0.0 ? scaled[j] : slopes[j]));
  }
  return result;
}

// The largest c'y with G y >= -room (room >= 0), from y = 0 by an active set of rows of G: along the part of
// c that they leave, to the next row; a row whose multiplier has the wrong sign is dropped.
double climb(const Matrix& bounds, const Vector& room, const Vector& c) {
  std::vector<Index> held;
  Vector y = Vector::Zero(c.size());
  for (int step = 0; step < most_steps; ++step) {
    Vector way = c;
    Vector multipliers;
    if (!held.empty()) {
      const Matrix rows = bounds(held, Eigen::all).transpose();
      multipliers = dense::least_squares(rows, c);
      way -= rows * multipliers;
    }
    if (way.norm() <= still_share * c.norm()) {
      Index worst = 0;
      if (held.empty() || !(multipliers.maxCoeff(&worst) > still_share * multipliers.norm())) break;
      held.erase(held.begin() + worst);
      continue;
    }
    const Vector left = room + bounds * y;
    const Vector rates = bounds * way;
    double length = infinity;
    Index next = -1;
    for (Index k = 0; k < rates.size(); ++k) {
      if (!(rates[k] < -still_share * bounds.row(k).norm() * way.norm())) continue;
      const double reach = std::max(left[k], 0.0) / -rates[k];
      if (reach >= length) continue;
      length = reach;
      next = k;
    }
    if (next < 0) return infinity;
    y += length * way;
    held.push_back(next);
  }
  return c.dot(y);
}

}  // namespace

HeldOutRange held_out_range(const Problem& problem, const Vector& weights, const Fit& fit, Index row) {
  if (problem.outputs() > 1 || problem.loss().has_kinks() || weights[row] > 0.0) return {};
  const auto terms = problem.penalty().separable(problem.columns());
  if (!terms) return {};
  const Vector derivative = problem.loss().derivative(fit.linear_predictor, problem.data().response);
  const Vector slopes = without_constant_columns(
      problem, -problem.design().transpose_multiply(weights.cwiseProduct(derivative)));
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  const Movable movable = movable_columns(problem, *terms, scaled, slopes, fit.lambda);
  const Index free = problem.intercept() ? 1 : 0;
  const auto count = static_cast<Index>(movable.columns.size());
  if (count == 0) return {};

  Matrix columns = Matrix::Ones(problem.rows(), free + count);
  columns.rightCols(count) = problem.design().gather(movable.columns);
  Vector own = columns.row(row);
  columns.array().colwise() *= (weights.array() > 0.0).cast<double>();
  const Vector lengths = columns.colwise().norm().transpose().unaryExpr(
      [](double length) { return length > 0.0 ? length : 1.0; });
  columns *= lengths.cwiseInverse().asDiagonal();
  own = own.cwiseQuotient(lengths);
  const dense::PivotedFactors factors = dense::pivoted_factors(columns.transpose(), tolerances::column_rank);
  const Matrix still = factors.q.rightCols(free + count - factors.rank);
  const Vector c = still.transpose() * own;
  if (!(c.norm() > still_share * own.norm())) return {};

  std::vector<Index> signed_columns;
  for (Index k = 0; k < count; ++k) {
    if (movable.signs[static_cast<std::size_t>(k)] != 0.0) signed_columns.push_back(k);
  }
  Matrix bounds(static_cast<Index>(signed_columns.size()), still.cols());
  Vector room(bounds.rows());
  for (Index b = 0; b < bounds.rows(); ++b) {
    const Index k = signed_columns[static_cast<std::size_t>(b)];
    const double sign = movable.signs[static_cast<std::size_t>(k)];
    bounds.row(b) = sign / lengths[free + k] * still.row(free + k);
    room[b] = std::abs(scaled[movable.columns[static_cast<std::size_t>(k)]]);
  }
  const double up = climb(bounds, room, c);
  const double down = climb(bounds, room, -c);
  if (std::isinf(up) || std::isinf(down)) return {};
  return {-down, up};
}

}  // namespace alo
