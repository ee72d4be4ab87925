// SPDX-License-Identifier: MIT
// The walks of some rows from their common start, and the checks at their ends.
#include <algorithm>
#include <cmath>
#include <functional>

#include "formula/hat.hpp"
#include "linalg/own_pivots.hpp"
#include "linalg/special_values.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/quadratic/row_start.hpp"

namespace alo {

namespace {

// Checks at the end of a walk: gradients exceed thresholds by at most the first share of them, and the
// updated prediction equals that of the coefficients up to the second share of the largest response. Both are
// the tolerance of certificates. At a tenth rounding sends walks to refits; at ten times wrong ones may pass.
constexpr double gradient_slack = 1e-10;
constexpr double prediction_slack = 1e-10;
// A walk ends where the row is met. There another fit without the row may be optimal if a gradient is within
// this share of its threshold, ten times the slack above, or if the walk does not end although what is left
// of the residual is this share of the largest response. At ten times more rows are refitted for nothing.
constexpr double undecided_share = 1e-9;
// Of the columns that a row has met outside the tableau those farthest beyond their thresholds join it, at
// most so many for a row or half as many as there are active: a walk that has missed the first of them ends
// beyond the thresholds of many that it would never have met.
constexpr std::size_t most_met = 16;

}  // namespace

RowHomotopy::Walked RowHomotopy::walk_row(const Start& start, Index row, const VectorView& entries,
                                          const VectorView& direction, LassoWalk& walk) const {
  const double root_weight = columns_.root_weights()[row];
  const double share = share_[row];
  const double response = problem_.data().response[row];
  double residual = start.residual[row];
  // The response moves towards its prediction; distances are in units of sqrt(w) share times the response.
  const double side = residual > 0.0 ? -1.0 : 1.0;
  walk.stand_at(start.walk, side * direction);
  Walked walked;
  // A row that alone determines an unpenalised column is refitted.
  walked.sure = 1.0 - share * free_leverages_[row] > leverage_tolerance;
  if (!walked.sure) return walked;
  if (root_weight == 0.0 || share == 0.0 || residual == 0.0) {  // no weight, or already at its prediction
    walked.prediction = response - residual;
    return walked;
  }
  const double unit = root_weight * share;
  double leverage = free_leverages_[row];
  leverage += columns_.unit() * entries.head(start.active).dot(direction.head(start.active));
  OwnPivots pivots(tableau_);
  const Index patience = 100 + 2 * (columns_.rows() + walk.size());
  double moved = 0.0;
  while (true) {
    const double kept = 1.0 - share * leverage;
    const double end = kept > leverage_tolerance ? std::abs(residual) * unit / kept : infinity;
    const LassoWalk::Knot knot = walk.next();
    const double distance = std::min(end, knot.distance);
    walked.sure = std::isfinite(distance) && walked.knots <= patience;
    if (!walked.sure) return walked;
    walk.advance(distance);
    moved += distance;
    residual += side * distance / unit * kept;
    if (end <= knot.distance) break;
    // The walk may go on without a residual, through predictions that are all optimal.
    walked.sure = root_weight * std::abs(residual) > undecided_share * start.response_size;
    if (!walked.sure) return walked;

    const Index k = knot.at;
    const Vector u = pivots.column(k);
    if (knot.enters() && columns_.depends(start.order[static_cast<std::size_t>(k)], u[k], start.ridge)) {
      walk.set_bar(k, LassoWalk::Bar::depends);
      continue;
    }
    leverage += columns_.unit() * walk.rates()[k] * walk.rates()[k] / u[k];
    walk.pivot(knot, u);
    pivots.add(k, u, knot.enters());
    ++walked.knots;
  }
  walked.sure = !walk.touches_threshold(undecided_share);
  walked.moved = side * moved;
  walked.prediction = response + walked.moved / unit;
  return walked;
}

// Those of the columns outside the tableau of a sparse design that some walk can have brought to their
// threshold. The residual has moved by m_i in the row itself and by the change of the fit, f, elsewhere, so
// that |z_j'(change)| <= |z_ij m_i| + |z_j| |f|. Most columns have no entry in the rows of a chunk, and f is
// short. A product is summed with an error of some n epsilon of its bound, far below the margin.
std::vector<Index> RowHomotopy::within_reach(const Start& start, std::span<const Index> rows,
                                             const Chunk& chunk, const Matrix& fitted,
                                             const std::vector<Index>& outside) const {
  constexpr double margin = 1e-9;
  Vector moved = Vector::Zero(columns_.rows());
  for (std::size_t m = 0; m < rows.size(); ++m) moved[rows[m]] = std::abs(chunk.walked[m].moved);
  const double farthest = moved.maxCoeff();
  const double longest = std::sqrt(fitted.colwise().squaredNorm().maxCoeff() * columns_.unit());
  std::vector<Index> result;
  for (const Index c : outside) {
    const double reach =
        columns_.largest_product(c, moved, farthest) + std::sqrt(columns_.square_norms()[c]) * longest;
    if (std::abs(start.gradient[c]) + reach / columns_.unit() >= start.threshold * (1.0 - margin)) {
      result.push_back(c);
    }
  }
  return result;
}

// Finds the columns outside the tableau that are beyond their threshold where the walks end.
void RowHomotopy::find_forgotten(const Start& start, std::span<const Index> rows, const Matrix& changes,
                                 Chunk& chunk) const {
  std::vector<char> inside(static_cast<std::size_t>(columns_.count()), 0);
  for (const Index c : start.order) inside[static_cast<std::size_t>(c)] = 1;
  std::vector<Index> outside;
  for (Index c = 0; c < columns_.count(); ++c) {
    if (inside[static_cast<std::size_t>(c)] == 0) outside.push_back(c);
  }
  if (outside.empty()) return;
  Matrix residuals = -columns_.multiply(start.order, changes);
  if (is_sparse_) outside = within_reach(start, rows, chunk, residuals, outside);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    residuals(rows[m], static_cast<Index>(m)) += chunk.walked[m].moved;
  }
  const Matrix gradients = columns_.transpose_multiply(outside, residuals) / columns_.unit();
  // Those at their threshold join it too, so that the walk can tell whether the fit is unique.
  const double bound = start.threshold * (1.0 - undecided_share);
  const std::size_t most = std::max(most_met, static_cast<std::size_t>(start.active) / 2);
  std::vector<std::pair<double, Index>> met;  // (excess over the size of the column, candidate)
  for (std::size_t m = 0; m < rows.size(); ++m) {
    met.clear();
    for (std::size_t o = 0; o < outside.size(); ++o) {
      const Index c = outside[o];
      const double gradient = start.gradient[c] + gradients(static_cast<Index>(o), static_cast<Index>(m));
      const double excess = std::abs(gradient) - bound;
      if (excess > 0.0) met.emplace_back(excess / std::sqrt(columns_.square_norms()[c]), c);
    }
    if (met.empty()) continue;
    chunk.met_forgotten[m] = 1;
    if (met.size() > most) {
      std::nth_element(met.begin(), met.begin() + static_cast<std::ptrdiff_t>(most), met.end(),
                       std::greater<>());
      met.resize(most);
    }
    for (const auto& one : met) chunk.forgotten.push_back(one.second);
  }
}

// Judges the fit without a row by the code that certifies fits, from the original data.
bool RowHomotopy::is_certified(const Start& start, Index row, const VectorView& change,
                               double prediction) const {
  const Vector weights = weights_without(problem_, row);
  if (weights.sum() == 0.0) return true;
  const ScaledColumns without(problem_, weights);
  const Vector coefficients = start.coefficients(start.order) + change;
  const auto [scaled, intercept] = without.solution(start.order, coefficients);
  Fit fit = make_fit(problem_, start.lambda, scaled, Vector::Constant(1, intercept));
  Certifier(problem_, weights).certify(std::span(&fit, 1));
  const double size = problem_.data().response.cwiseAbs().maxCoeff();
  return meets(fit.certificate, options_.fit.tolerance) &&
         std::abs(fit.linear_predictor[row] - prediction) <= 1e-8 * (1.0 + size);
}

RowHomotopy::Chunk RowHomotopy::walk_rows(const Start& start, std::span<const Index> rows,
                                          bool certify) const {
  const Matrix at_rows = entries(start, rows);
  const Matrix directions = first_directions(start, at_rows);
  Matrix changes = Matrix::Zero(directions.rows(), directions.cols());
  Chunk chunk;
  chunk.met_forgotten.assign(rows.size(), 0);
  const double size =
      (columns_.root_weights().cwiseProduct(problem_.data().response)).lpNorm<Eigen::Infinity>();
  const Vector before = start.coefficients(start.order);
  LassoWalk walk = start.walk;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const auto column = static_cast<Index>(m);
    Walked walked = walk_row(start, rows[m], at_rows.col(column), directions.col(column), walk);
    changes.col(column) = walk.coefficients() - before;
    if (walk.largest_barred() > start.threshold * (1.0 + gradient_slack)) walked.sure = false;
    // Compares the row's prediction from the coefficients with the one that the walk has updated.
    const double change = columns_.unit() * at_rows.col(column).dot(changes.col(column)) +
                          free_leverages_[rows[m]] * walked.moved;
    const double carried = columns_.root_weights()[rows[m]] *
                           (walked.prediction - problem_.data().response[rows[m]] + start.residual[rows[m]]);
    if (!(std::abs(change - carried) <= prediction_slack * (size + std::abs(carried)))) walked.sure = false;
    if (!walked.sure) {  // it will be refitted
      changes.col(column).setZero();
      walked.moved = 0.0;
    }
    chunk.walked.push_back(walked);
  }
  find_forgotten(start, rows, changes, chunk);
  if (certify) {
    const auto longest = std::max_element(chunk.walked.begin(), chunk.walked.end(),
                                          [](const Walked& a, const Walked& b) { return a.knots < b.knots; });
    const auto m = static_cast<std::size_t>(longest - chunk.walked.begin());
    const bool arrived = longest->sure && chunk.met_forgotten[m] == 0;
    if (arrived && !is_certified(start, rows[m], changes.col(static_cast<Index>(m)), longest->prediction)) {
      chunk.missed = 1;
    }
  }
  return chunk;
}

}  // namespace alo
