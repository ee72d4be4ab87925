// SPDX-License-Identifier: MIT
// The common start of the walks of all rows: the columns that take part, and their tableau at the full fit.
#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/quadratic/row_start.hpp"

namespace alo {

namespace {

// A column joins the tableau when a row whose entry is near_factor times the root mean square could bring it
// to its threshold, or when there are at most columns_per_row columns per row. Only the speed depends on
// these.
constexpr double near_factor = 4.0;
constexpr Index columns_per_row = 1;
// So many columns besides the active ones may join, however few rows are asked for: their products take
// microseconds.
constexpr double least_width = 200.0;
// Columns are stored in parts of this many, between which the caller may stop.
constexpr Index columns_at_once = 256;

}  // namespace

RowHomotopy::Start RowHomotopy::begin(const Fit& fit) const {
  Start start;
  start.lambda = fit.lambda;
  start.threshold = fit.lambda / columns_.unit();
  start.ridge = columns_.ridge(fit.lambda);
  start.coefficients = columns_.coefficients(problem_.scale().cwiseProduct(fit.coefficients));
  start.residual = problem_.data().response - problem_.linear_predictor(fit.intercept, fit.coefficients);
  const Vector weighted = columns_.root_weights().cwiseProduct(start.residual);
  start.response_size =
      columns_.root_weights().cwiseProduct(problem_.data().response).lpNorm<Eigen::Infinity>();
  start.gradient = columns_.transpose_multiply(weighted).col(0) / columns_.unit() -
                   start.ridge.cwiseProduct(start.coefficients);
  for (Index c = 0; c < columns_.count(); ++c) {
    if (start.coefficients[c] != 0.0) start.order.push_back(c);
  }
  start.active = static_cast<Index>(start.order.size());
  return start;
}

// With w columns in the tableau their products take n w^2 operations and those of all columns with the end of
// a walk 2 n p for each row, which is as much at this width. So a few rows cost like a few rows, and the
// tableau is never larger than two copies of the design.
Index RowHomotopy::affordable_columns(std::size_t asked) const {
  const double per_row =
      static_cast<double>(columns_.stored_entries()) / std::max(1.0, static_cast<double>(columns_.rows()));
  return static_cast<Index>(std::max(least_width, std::sqrt(2.0 * static_cast<double>(asked) * per_row)));
}

// Columns that the move of some row could bring to their threshold, judged by their norms, the nearest first;
// all columns where that costs less than computing the gradients of the others afterwards.
std::vector<Index> RowHomotopy::near_columns(const Start& start, const std::vector<Index>& rows) const {
  const Index most = affordable_columns(rows.size());
  const bool all = columns_.count() <= std::min(most, columns_per_row * columns_.rows());
  double farthest = 0.0;
  for (const Index i : rows) {
    farthest = std::max(farthest, std::abs(columns_.root_weights()[i] * start.residual[i]));
  }
  const double typical =
      near_factor * farthest / std::sqrt(columns_.unit() * static_cast<double>(columns_.rows()));
  std::vector<std::pair<double, Index>> near;  // (distance, candidate)
  for (Index c = 0; c < columns_.count(); ++c) {
    if (start.coefficients[c] != 0.0) continue;
    const double norm = std::sqrt(columns_.square_norms()[c]);
    const double room = start.threshold - std::abs(start.gradient[c]);
    if (all || room <= typical * norm) near.emplace_back(room / norm, c);
  }
  if (static_cast<Index>(near.size()) > most) {
    std::nth_element(near.begin(), near.begin() + most, near.end());
    near.resize(static_cast<std::size_t>(most));
  }
  std::sort(near.begin(), near.end());
  std::vector<Index> result;
  for (const auto& one : near) result.push_back(one.second);
  return result;
}

// Drops the columns of earlier rounds and fits where they would be more than so many with the new ones.
void RowHomotopy::make_room(const std::vector<Index>& candidates, Index most) {
  Index fresh = 0;
  for (const Index c : candidates) fresh += place_[static_cast<std::size_t>(c)] < 0 ? 1 : 0;
  if (static_cast<Index>(stored_.size()) + fresh <= most) return;
  stored_.clear();
  std::fill(place_.begin(), place_.end(), Index{-1});
  gram_.resize(0, 0);
}

// Keeps the products of these candidates; false when `go_on` says so on the way.
bool RowHomotopy::store(const std::vector<Index>& candidates, const std::function<bool()>& go_on) {
  std::vector<Index> fresh;
  for (const Index c : candidates) {
    if (place_[static_cast<std::size_t>(c)] < 0) fresh.push_back(c);
  }
  if (fresh.empty()) return go_on();
  const auto before = static_cast<Index>(stored_.size());
  const Index after = before + static_cast<Index>(fresh.size());
  gram_.conservativeResize(after, after);
  for (Index first = before; first < after; first += columns_at_once) {
    if (!go_on()) return false;
    const Index count = std::min(columns_at_once, after - first);
    const auto part = std::span<const Index>(fresh).subspan(static_cast<std::size_t>(first - before),
                                                            static_cast<std::size_t>(count));
    for (const Index c : part) {
      place_[static_cast<std::size_t>(c)] = static_cast<Index>(stored_.size());
      stored_.push_back(c);
    }
    store_products(first, part);
  }
  return true;
}

// The products of the stored columns, of which the `last` are from number `first` on. A dense design needs no
// copy of the first part.
void RowHomotopy::store_products(Index first, std::span<const Index> last) {
  const auto count = static_cast<Index>(last.size());
  auto own = gram_.block(first, first, count, count);
  auto cross = gram_.block(0, first, first, count);
  if (first == 0 && !is_sparse_) {
    own = columns_.gram(last) / columns_.unit();
    return;
  }
  const Matrix products = columns_.transpose_multiply(stored_, columns_.gather(last)) / columns_.unit();
  cross = products.topRows(first);
  own = products.bottomRows(count);
  gram_.block(first, 0, count, first) = cross.transpose();
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
  if (is_sparse_) {
    Matrix units = Matrix::Zero(columns_.rows(), static_cast<Index>(rows.size()));
    for (std::size_t m = 0; m < rows.size(); ++m) units(rows[m], static_cast<Index>(m)) = 1.0;
    columns_.project_out_free(units);
    return columns_.transpose_multiply(start.order, units) / columns_.unit();
  }
  return columns_.entries(rows, start.order).transpose() / columns_.unit();
}

// D from the entries of the rows.
Matrix RowHomotopy::first_directions(const Start& start, const Matrix& entries) const {
  Matrix directions = entries;
  directions.topRows(start.active).setZero();
  blas::add_product(directions, -1.0, tableau_.leftCols(start.active), entries.topRows(start.active));
  return directions;
}

}  // namespace alo
