// SPDX-License-Identifier: MIT
#include "solvers/quadratic/row_homotopy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "formula/hat.hpp"
#include "linalg/own_pivots.hpp"
#include "linalg/parallel.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "problem/separable.hpp"
#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

// Checks at the end of a walk: gradients exceed thresholds by at most the first share of them, and the
// updated prediction equals that of the coefficients up to the second share of the largest response. Both are
// the tolerance of certificates. At a tenth rounding sends walks to refits; at ten times wrong ones may pass.
constexpr double gradient_slack = 1e-10;
constexpr double prediction_slack = 1e-10;
// A column joins the tableau when a row whose entry is near_factor times the root mean square could bring it
// to its threshold, or when columns are at most columns_per_row times the rows. Rows that meet other columns
// walk again, at most `rounds` times, then they are refitted. Only the speed depends on these.
constexpr double near_factor = 4.0;
constexpr Index columns_per_row = 1;
constexpr int rounds = 20;
// Rows walk in chunks that share matrix products; in one chunk of 16 the row with most knots is certified.
constexpr std::size_t rows_at_once = 64;
constexpr std::size_t chunks_per_certificate = 16;

}  // namespace

bool has_knots(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  return problem.loss().is_quadratic() && terms && has_absolute_values(*terms);
}

// The full fit as the start of the walks.
struct RowHomotopy::Start {
  double lambda = 0.0;
  double threshold = 0.0;
  Vector coefficients;       // c of every candidate
  Vector gradient;           // of every candidate, / tau
  Vector ridge;              // D / tau
  Vector residual;           // y - eta
  std::vector<Index> order;  // candidates in the tableau, the active ones first
  Index active = 0;
  LassoWalk walk;
};

struct RowHomotopy::Walked {
  double prediction = undefined;
  double moved = 0.0;  // move of the response, times sqrt(w) and the removed share
  Index knots = 0;
  bool sure = true;
};

struct RowHomotopy::Chunk {
  std::vector<Walked> walked;
  std::vector<char> met_forgotten;  // per row
  std::vector<Index> forgotten;     // candidates
  Index missed = 0;
};

RowHomotopy::RowHomotopy(const Problem& problem, const ExactOptions& options)
    : problem_(problem),
      options_(options),
      share_(problem.removed_share()),
      columns_(problem, problem.data().weights),
      free_leverages_(columns_.free_leverages()),
      place_(static_cast<std::size_t>(columns_.count()), -1),
      block_(problem.rows(), 0) {}

RowHomotopy::Start RowHomotopy::begin(const Fit& fit) const {
  Start start;
  start.lambda = fit.lambda;
  start.threshold = fit.lambda / columns_.unit();
  start.ridge = columns_.ridge(fit.lambda);
  start.coefficients = columns_.coefficients(problem_.scale().cwiseProduct(fit.coefficients));
  start.residual = problem_.data().response - problem_.linear_predictor(fit.intercept, fit.coefficients);
  const Vector weighted = columns_.root_weights().cwiseProduct(start.residual);
  start.gradient = columns_.transpose_multiply(weighted).col(0) / columns_.unit() -
                   start.ridge.cwiseProduct(start.coefficients);
  for (Index c = 0; c < columns_.count(); ++c) {
    if (start.coefficients[c] != 0.0) start.order.push_back(c);
  }
  start.active = static_cast<Index>(start.order.size());
  return start;
}

// Columns that the move of some row could bring to their threshold, judged by their norms; all columns where
// that costs less than computing the gradients of the others afterwards.
std::vector<Index> RowHomotopy::near_columns(const Start& start) const {
  const bool all = columns_.count() <= columns_per_row * columns_.rows();
  const Vector moves = columns_.root_weights().cwiseProduct(start.residual);
  const double farthest = moves.size() == 0 ? 0.0 : moves.lpNorm<Eigen::Infinity>();
  const double typical =
      near_factor * farthest / std::sqrt(columns_.unit() * static_cast<double>(columns_.rows()));
  std::vector<Index> near;
  for (Index c = 0; c < columns_.count(); ++c) {
    const double reach = typical * std::sqrt(columns_.square_norms()[c]);
    const bool is_near = all || std::abs(start.gradient[c]) + reach >= start.threshold;
    if (start.coefficients[c] == 0.0 && is_near) near.push_back(c);
  }
  return near;
}

void RowHomotopy::store(const std::vector<Index>& candidates) {
  std::vector<Index> fresh;
  for (const Index c : candidates) {
    if (place_[static_cast<std::size_t>(c)] >= 0) continue;
    place_[static_cast<std::size_t>(c)] = static_cast<Index>(stored_.size());
    stored_.push_back(c);
    fresh.push_back(c);
  }
  if (fresh.empty()) return;
  const Index before = block_.cols();
  if (before == 0) {
    block_ = columns_.gather(fresh);
    gram_ = blas::gram(block_);
    gram_ /= columns_.unit();
    return;
  }
  const auto added = static_cast<Index>(fresh.size());
  block_.conservativeResize(Eigen::NoChange, before + added);
  block_.rightCols(added) = columns_.gather(fresh);
  gram_.conservativeResize(before + added, before + added);
  const auto columns = block_.rightCols(added);
  gram_.rightCols(added) = blas::transpose_multiply(block_, columns) / columns_.unit();
  gram_.bottomLeftCorner(added, before) = gram_.topRightCorner(before, added).transpose();
}

// The tableau of the candidates in `order`, pivoted at the active ones at once. False when those
// depend on each other.
bool RowHomotopy::make_tableau(Start& start) {
  std::vector<Index> places;
  for (const Index c : start.order) places.push_back(place_[static_cast<std::size_t>(c)]);
  const auto size = static_cast<Index>(places.size());
  const Index active = start.active;
  const Index rest = size - active;
  Matrix& t = tableau_;
  t.resize(size, size);
  for (Index k = 0; k < size; ++k) {
    const auto column = gram_.col(places[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < size; ++i) t(i, k) = column[places[static_cast<std::size_t>(i)]];
  }
  t.diagonal() += start.ridge(start.order);
  const Vector diagonal = t.diagonal();
  const auto lower = blas::cholesky(t.topLeftCorner(active, active));
  if (!lower ||
      (lower->diagonal().array().square() <= tolerances::tableau_pivot * diagonal.head(active).array()).any())
    return false;
  auto between = t.topRightCorner(active, rest);
  blas::solve_lower_in_place(*lower, between);
  blas::subtract_gram(t.bottomRightCorner(rest, rest), between);
  blas::solve_lower_transposed_in_place(*lower, between);
  t.bottomLeftCorner(rest, active) = between.transpose();
  t.topLeftCorner(active, active) = -blas::inverse_from_cholesky(*lower);

  start.walk = {};
  start.walk.join(start.gradient(start.order), Vector::Zero(size), start.threshold);
  start.walk.close_all(0.0);
  for (Index k = 0; k < active; ++k) {
    start.walk.activate(k, start.coefficients[start.order[static_cast<std::size_t>(k)]]);
  }
  return true;
}

// Z' / tau of the tableau's candidates at these rows.
Matrix RowHomotopy::entries(const Start& start, std::span<const Index> rows) const {
  const auto size = static_cast<Index>(start.order.size());
  Matrix result(size, static_cast<Index>(rows.size()));
  constexpr Index line = 8;  // numbers, written together
  for (Index begin = 0; begin < size; begin += line) {
    const Index count = std::min(line, size - begin);
    std::array<const double*, line> columns{};
    for (Index k = 0; k < count; ++k) {
      const Index candidate = start.order[static_cast<std::size_t>(begin + k)];
      columns[static_cast<std::size_t>(k)] = block_.col(place_[static_cast<std::size_t>(candidate)]).data();
    }
    for (Index m = 0; m < result.cols(); ++m) {
      const Index row = rows[static_cast<std::size_t>(m)];
      for (Index k = 0; k < count; ++k) {
        result(begin + k, m) = columns[static_cast<std::size_t>(k)][row] / columns_.unit();
      }
    }
  }
  return result;
}

// D from the entries of the rows.
Matrix RowHomotopy::first_directions(const Start& start, const Matrix& entries) const {
  Matrix directions = entries;
  directions.topRows(start.active).setZero();
  blas::add_product(directions, -1.0, tableau_.leftCols(start.active), entries.topRows(start.active));
  return directions;
}

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
  walked.moved = side * moved;
  walked.prediction = response + walked.moved / unit;
  return walked;
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
  for (std::size_t m = 0; m < rows.size(); ++m) {
    residuals(rows[m], static_cast<Index>(m)) += chunk.walked[m].moved;
  }
  const Matrix gradients = columns_.transpose_multiply(outside, residuals) / columns_.unit();
  const double bound = start.threshold * (1.0 + gradient_slack);
  for (std::size_t o = 0; o < outside.size(); ++o) {
    bool met = false;
    for (std::size_t m = 0; m < rows.size(); ++m) {
      const double gradient =
          start.gradient[outside[o]] + gradients(static_cast<Index>(o), static_cast<Index>(m));
      if (std::abs(gradient) <= bound) continue;
      chunk.met_forgotten[m] = 1;
      met = true;
    }
    if (met) chunk.forgotten.push_back(outside[o]);
  }
}

// Judges the fit without a row by the code that certifies fits, from the original data.
bool RowHomotopy::is_certified(const Start& start, Index row, const VectorView& change,
                               double prediction) const {
  const Vector weights = weights_without(problem_, row);
  if (weights.sum() == 0.0) return true;
  const ScaledColumns without(problem_, weights);
  const Vector coefficients = start.coefficients(start.order) + change;
  const auto [scaled, intercept] =
      without.solution(start.order, coefficients, without.fitted(start.order, coefficients).col(0));
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
    const bool settled = longest->sure && chunk.met_forgotten[m] == 0;
    if (settled && !is_certified(start, rows[m], changes.col(static_cast<Index>(m)), longest->prediction)) {
      chunk.missed = 1;
    }
  }
  return chunk;
}

RowHomotopy::Result RowHomotopy::run(const Fit& fit, const std::vector<Index>& rows,
                                     const std::function<bool(Index)>& progress) {
  Result result;
  result.linear_predictor = Vector::Constant(problem_.rows(), undefined);
  Start start = begin(fit);
  const std::vector<Index> near = near_columns(start);
  start.order.insert(start.order.end(), near.begin(), near.end());
  std::vector<Index> todo = rows;
  for (int round = 0; round < rounds && !todo.empty(); ++round) {
    store(start.order);
    if (!make_tableau(start)) break;
    std::vector<Index> again;
    std::vector<Index> forgotten;
    bool stopped = false;
    const std::size_t chunks = (todo.size() + rows_at_once - 1) / rows_at_once;
    parallel_for(chunks, options_.threads, [&](std::size_t c, std::mutex& mutex) {
      {
        const std::scoped_lock lock(mutex);
        if (stopped) return;
      }
      const std::size_t first = c * rows_at_once;
      const std::span part =
          std::span<const Index>(todo).subspan(first, std::min(rows_at_once, todo.size() - first));
      const Chunk chunk = walk_rows(start, part, c % chunks_per_certificate == 0);
      const std::scoped_lock lock(mutex);
      Index finished = 0;
      for (std::size_t m = 0; m < part.size(); ++m) {
        if (chunk.met_forgotten[m] != 0) {
          again.push_back(part[m]);
          continue;
        }
        ++finished;
        if (chunk.walked[m].sure) {
          result.linear_predictor[part[m]] = chunk.walked[m].prediction;
        } else {
          result.unsure.push_back(part[m]);
        }
      }
      result.missed += chunk.missed;
      forgotten.insert(forgotten.end(), chunk.forgotten.begin(), chunk.forgotten.end());
      stopped = !progress(finished);
    });
    if (stopped) return result;
    std::sort(forgotten.begin(), forgotten.end());
    forgotten.erase(std::unique(forgotten.begin(), forgotten.end()), forgotten.end());
    start.order.insert(start.order.end(), forgotten.begin(), forgotten.end());
    std::sort(again.begin(), again.end());
    todo = std::move(again);
  }
  result.unsure.insert(result.unsure.end(), todo.begin(), todo.end());
  std::sort(result.unsure.begin(), result.unsure.end());
  return result;
}

}  // namespace alo
