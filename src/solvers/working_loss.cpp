// SPDX-License-Identifier: MIT
#include "solvers/working_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/blas.hpp"
#include "solvers/null_fit.hpp"

namespace alo {

namespace {

constexpr int most_steps = 200;
constexpr double rounding = 1e-15;
// The products of more columns than this with each other are not kept.
constexpr Index most_in_gram = 2000;

}  // namespace

WorkingLoss::WorkingLoss(const Problem& problem, Vector weights, Columns columns)
    : problem_(problem),
      weights_(std::move(weights)),
      all_(columns == Columns::all),
      places_(static_cast<std::size_t>(problem.columns()), -1) {}

void WorkingLoss::require(std::span<const Index> columns) {
  std::vector<Index> missing;
  for (const Index j : columns) {
    if (holds(j)) continue;
    places_[static_cast<std::size_t>(j)] = static_cast<Index>(columns_.size() + missing.size());
    missing.push_back(j);
  }
  if (missing.empty()) return;
  const auto first = static_cast<Index>(columns_.size());
  const auto count = static_cast<Index>(missing.size());
  if (first + count > block_.cols()) {
    block_.conservativeResize(problem_.rows(), std::max(first + count, 2 * block_.cols()));
  }
  block_.middleCols(first, count) = problem_.design().gather(missing);
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index k = 0; k < count; ++k) {
    if (std::binary_search(constant.begin(), constant.end(), missing[static_cast<std::size_t>(k)])) {
      block_.col(first + k).setZero();
    }
  }
  columns_.insert(columns_.end(), missing.begin(), missing.end());
}

std::vector<Index> WorkingLoss::places(std::span<const Index> columns) const {
  std::vector<Index> result;
  result.reserve(columns.size());
  for (const Index j : columns) result.push_back(places_[static_cast<std::size_t>(j)]);
  return result;
}

Vector WorkingLoss::product(const Vector& coefficients) const {
  if (all_) return problem_.design().multiply(coefficients);
  const Vector own = coefficients(columns_);
  if (2 * (own.array() != 0.0).count() > own.size()) return blas::multiply_vector(columns_at_work(), own);
  Vector result = Vector::Zero(problem_.rows());
  for (Index k = 0; k < own.size(); ++k) {
    if (own[k] != 0.0) blas::add_multiple(result, own[k], block_.col(k));
  }
  return result;
}

WorkingLoss::Point WorkingLoss::at(Vector coefficients, double intercept) const {
  Point point;
  point.predictor = problem_.data().offset.array() + intercept;
  point.predictor += product(coefficients);
  point.coefficients = std::move(coefficients);
  point.intercept = intercept;
  if (problem_.intercept()) settle_intercept(point);
  const Vector& response = problem_.data().response;
  point.loss = weights_.dot(problem_.loss().value(point.predictor, response));
  point.residual = -weights_.cwiseProduct(problem_.loss().derivative(point.predictor, response));
  return point;
}

// The derivative by the intercept grows with it: Newton's steps, within the bounds that its signs set, and no
// farther than a growing reach where there is none yet.
void WorkingLoss::settle_intercept(Point& point) const {
  const Vector& response = problem_.data().response;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double reach = 1.0;
  for (int step = 0; step < most_steps; ++step) {
    const Vector derivative = problem_.loss().derivative(point.predictor, response);
    const double slope = weights_.dot(derivative);
    if (std::abs(slope) <= rounding * weights_.dot(derivative.cwiseAbs())) return;
    (slope < 0.0 ? low : high) = point.intercept;
    const bool bounded = std::isfinite(low) && std::isfinite(high);
    double move = -slope / weights_.dot(problem_.loss().curvature(point.predictor, response));
    if (bounded && !(point.intercept + move > low && point.intercept + move < high)) {
      move = 0.5 * (low + high) - point.intercept;
    } else if (!bounded && !problem_.loss().is_quadratic()) {
      move = std::clamp(move, -reach, reach);
      reach *= 2.0;
    }
    point.predictor.array() += move;
    point.intercept += move;
    const double size = std::abs(point.intercept) + point.predictor.lpNorm<Eigen::Infinity>();
    if (problem_.loss().is_quadratic() || std::abs(move) <= rounding * size) return;
  }
}

Vector WorkingLoss::slopes(const Point& point) const {
  return slopes_of(point.residual);
}

Vector WorkingLoss::slopes_of(const Vector& residual) const {
  if (all_) return without_constant_columns(problem_, problem_.design().transpose_multiply(residual));
  Vector result = Vector::Zero(problem_.columns());
  result(columns_) = blas::transpose_multiply_vector(columns_at_work(), residual);
  return result;
}

// A = sqrt(C) (I - 1 c'/sum(c)) X, the second factor with an intercept only.
Vector WorkingLoss::weighted_product(const Vector& coefficients, const Vector& bend) const {
  Vector result = product(coefficients);
  if (problem_.intercept()) result.array() -= bend.dot(result) / bend.sum();
  return bend.cwiseSqrt().cwiseProduct(result);
}

Vector WorkingLoss::weighted_slopes(const Vector& rows, const Vector& bend) const {
  Vector residual = bend.cwiseSqrt().cwiseProduct(rows);
  if (problem_.intercept()) residual -= residual.sum() / bend.sum() * bend;
  return slopes_of(residual);
}

Vector WorkingLoss::all_slopes(const Point& point) const {
  return without_constant_columns(problem_, problem_.design().transpose_multiply(point.residual));
}

Vector WorkingLoss::row_curvature(const Point& point) const {
  return weights_.cwiseProduct(problem_.loss().curvature(point.predictor, problem_.data().response));
}

double WorkingLoss::mean_curvature(const Point& point) const {
  const Vector squares = problem_.design().weighted_square_norms(row_curvature(point));
  return squares.size() == 0 ? 0.0 : squares.mean();
}

void WorkingLoss::extend_gram(const std::vector<Index>& places) {
  gram_positions_.resize(columns_.size(), -1);
  const auto before = static_cast<Index>(gram_places_.size());
  for (const Index place : places) {
    Index& position = gram_positions_[static_cast<std::size_t>(place)];
    if (position >= 0) continue;
    position = static_cast<Index>(gram_places_.size());
    gram_places_.push_back(place);
  }
  const auto all = static_cast<Index>(gram_places_.size());
  const Index fresh = all - before;
  if (fresh == 0) return;
  if (all > gram_.cols()) {
    gram_.conservativeResize(all + all / 2, all + all / 2);
    sums_.conservativeResize(all + all / 2);
  }
  const Matrix columns = block_(Eigen::all, gram_places_);
  const Matrix weighted = weights_.asDiagonal() * columns.rightCols(fresh);
  gram_.block(0, before, all, fresh) = blas::transpose_multiply(columns, weighted);
  gram_.block(before, 0, fresh, before) = gram_.block(0, before, before, fresh).transpose();
  sums_.segment(before, fresh) = weighted.colwise().sum();
}

Matrix WorkingLoss::tangent(const Geometry& geometry, const Vector& bend) const {
  Matrix columns = all_ ? tangent_design(problem_.design(), geometry)
                        : tangent_columns(block_(Eigen::all, places(geometry.coordinates)), geometry);
  if (problem_.intercept() && bend.sum() > 0.0) {
    const Vector means = blas::transpose_multiply_vector(columns, bend) / bend.sum();
    columns.rowwise() -= means.transpose();
  }
  return columns;
}

Matrix WorkingLoss::curvature(const Geometry& geometry, const Point& point) {
  if (geometry.dimension() == 0) return {};
  const bool by_gram = !all_ || problem_.columns() <= std::min(problem_.rows(), most_in_gram);
  if (!by_gram || !problem_.loss().is_quadratic()) return blas::gram(weighted_tangent(geometry, point));
  if (all_) {
    if (gram_.size() == 0) fill_gram();
    return along_both(gram_, sums_, geometry);
  }
  std::vector<Index> members = places(geometry.coordinates);
  extend_gram(members);
  for (Index& place : members) place = gram_positions_[static_cast<std::size_t>(place)];
  return along_both(gram_(members, members), sums_(members), geometry);
}

void WorkingLoss::fill_gram() {
  std::vector<Index> all(static_cast<std::size_t>(problem_.columns()));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix columns = problem_.design().gather(all);
  const Matrix weighted = weights_.asDiagonal() * columns;
  gram_ = blas::transpose_multiply(columns, weighted);
  sums_ = weighted.colwise().sum();
}

Matrix WorkingLoss::along_both(Matrix gram, const Vector& sums, const Geometry& geometry) const {
  const Matrix half = tangent_columns(std::move(gram), geometry);
  Matrix result = tangent_columns(half.transpose(), geometry);
  if (problem_.intercept()) {
    const Vector own = tangent_columns(sums.transpose(), geometry).transpose();
    result -= own * own.transpose() / weights_.sum();
  }
  return result;
}

Matrix WorkingLoss::weighted_tangent(const Geometry& geometry, const Point& point) const {
  const Vector bend = row_curvature(point);
  return bend.cwiseSqrt().asDiagonal() * tangent(geometry, bend);
}

Vector WorkingLoss::hat(const Geometry& geometry, const Point& point, const Matrix& factor) const {
  const Vector bend = row_curvature(point);
  Matrix columns = tangent(geometry, bend);
  blas::solve_right_transposed_in_place(factor, columns);
  Vector result = columns.rowwise().squaredNorm();
  if (problem_.intercept()) result.array() += 1.0 / bend.sum();
  return result;
}

}  // namespace alo
