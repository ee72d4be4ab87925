// SPDX-License-Identifier: MIT
#include "certificate/kinked_null_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alo/penalties/ridge.hpp"
#include "solvers/kinked/augmented_lagrangian.hpp"

namespace alo {

namespace {

constexpr double rounding = 1e-12;

// A kink of a row as the intercept meets it, and how much its slope rises there.
struct Bend {
  double at;
  double rise;
};

std::vector<Bend> sorted_bends(const Kinks& kinks, const Vector& weights, const Vector& offset) {
  std::vector<Bend> bends;
  for (Index i = 0; i < weights.size(); ++i) {
    for (Index k = 0; k < kinks.position.cols(); ++k) {
      const double rise = weights[i] * (kinks.slope(i, k + 1) - kinks.slope(i, k));
      if (rise > 0.0) bends.push_back({kinks.position(i, k) - offset[i], rise});
    }
  }
  std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.at < b.at; });
  return bends;
}

// Where the sum of slopes passes zero.
double best_intercept(const std::vector<Bend>& bends, double slope) {
  if (bends.empty()) return 0.0;
  const double negligible = rounding * std::abs(slope);
  for (std::size_t k = 0; k < bends.size(); ++k) {
    if (slope >= -negligible) return k == 0 ? bends[0].at : 0.5 * (bends[k - 1].at + bends[k].at);
    slope += bends[k].rise;
    if (slope > negligible) return bends[k].at;
  }
  return bends.back().at;
}

// Slopes beside the prediction, weights included: equal unless it is a kink.
struct SlopesBeside {
  Vector low, high;
};

SlopesBeside slopes_beside(const Kinks& kinks, const Vector& weights, const Vector& offset,
                           double intercept) {
  SlopesBeside beside{Vector(weights.size()), Vector(weights.size())};
  for (Index i = 0; i < weights.size(); ++i) {
    Index left = 0;   // kinks before the prediction
    Index right = 0;  // and those up to it
    for (Index k = 0; k < kinks.position.cols(); ++k) {
      left += kinks.position(i, k) - offset[i] < intercept ? 1 : 0;
      right += kinks.position(i, k) - offset[i] <= intercept ? 1 : 0;
    }
    beside.low[i] = weights[i] * kinks.slope(i, left);
    beside.high[i] = weights[i] * kinks.slope(i, right);
  }
  return beside;
}

NullFit with_intercept(const Problem& problem, const Vector& weights) {
  const Vector& offset = problem.data().offset;
  const Kinks kinks = problem.loss().kinks(problem.data().response);
  const double first_slope = weights.dot(kinks.slope.col(0));
  const double intercept = best_intercept(sorted_bends(kinks, weights, offset), first_slope);
  const SlopesBeside beside = slopes_beside(kinks, weights, offset, intercept);
  const double width = (beside.high - beside.low).sum();
  const double share = width > 0.0 ? std::clamp(-beside.low.sum() / width, 0.0, 1.0) : 0.0;
  return {offset.array() + intercept, beside.low + share * (beside.high - beside.low), true};
}

// Unpenalised columns beside the intercept: a problem of their own.
NullFit with_columns(const Problem& problem, const Vector& weights, Matrix columns) {
  Dataset data = make_dataset(Design(std::move(columns)), problem.data().response);
  data.offset = problem.data().offset;
  const Vector no_penalty = Vector::Zero(data.columns());
  const Problem alone(std::move(data), problem.loss(), Ridge(no_penalty), {problem.intercept(), false});
  AugmentedLagrangian solver(alone, weights);
  solver.solve(1.0);
  return {solver.linear_predictor(), solver.subgradient(), true};
}

}  // namespace

NullFit kinked_null_fit(const Problem& problem, const Vector& weights) {
  const Matrix columns = unpenalized_columns(problem, null_lambda);
  const Index intercepts = problem.intercept() ? 1 : 0;
  if (columns.cols() > intercepts) {
    return with_columns(problem, weights, columns.rightCols(columns.cols() - intercepts));
  }
  if (problem.intercept()) return with_intercept(problem, weights);
  const Vector& offset = problem.data().offset;
  return {offset, weights.cwiseProduct(problem.loss().derivative(offset, problem.data().response)), true};
}

}  // namespace alo
