// SPDX-License-Identifier: MIT
#include "formula/intercept_range.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"
#include "losses/row_kinks.hpp"

namespace alo {

namespace {

// An intercept that may move by less than this share of the linear predictors and kinks is unique: what is
// left is the rounding of linear predictors, some 1e-13 in well conditioned fits. At a tenth rounding is
// reported as an interval; at ten times intervals in the tenth digit go unreported.
constexpr double rounding = 1e-11;

// The piece whose slope is the row's subgradient; none for a pinned row.
std::optional<Index> piece_of(const RowKinks& kinks, Index row, double subgradient) {
  for (Index m = 0; m <= kinks.count(); ++m) {
    if (kinks.slope(m, row) == subgradient) return m;
  }
  return std::nullopt;
}

}  // namespace

double InterceptRange::middle() const {
  if (std::isfinite(down) && std::isfinite(up)) return 0.5 * (down + up);
  if (std::isfinite(down)) return down;
  return std::isfinite(up) ? up : 0.0;
}

InterceptRange intercept_range(const Problem& problem, const Vector& weights, const Fit& fit) {
  if (!problem.loss().has_kinks() || !problem.intercept()) return {};
  const RowKinks kinks = row_kinks(problem.loss(), problem.data().response, weights);
  std::vector<Index> pieces(static_cast<std::size_t>(problem.rows()), 0);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (weights[i] == 0.0) continue;
    const auto piece = piece_of(kinks, i, fit.subgradient[i]);
    if (!piece) return {};
    pieces[static_cast<std::size_t>(i)] = *piece;
  }
  const Vector predictor = problem.linear_predictor(fit.intercept, fit.coefficients);
  InterceptRange range{-infinity, infinity};
  for (Index i = 0; i < problem.rows(); ++i) {
    if (weights[i] == 0.0) continue;
    const Index piece = pieces[static_cast<std::size_t>(i)];
    range.down = std::max(range.down, kinks.low_end(i, piece) - predictor[i]);
    range.up = std::min(range.up, kinks.high_end(i, piece) - predictor[i]);
  }
  const double least = rounding * kinks.predictor_size(predictor);
  if (range.up - range.down <= least) return {};
  return {std::min(range.down, 0.0), std::max(range.up, 0.0)};
}

}  // namespace alo
