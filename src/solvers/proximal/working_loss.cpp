// SPDX-License-Identifier: MIT
#include "solvers/proximal/working_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "certificate/null_fit.hpp"
#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A safeguard: Newton steps in a bracket for the intercept, which bisection alone would end after about 60.
constexpr int most_intercept_steps = 200;
// The derivative by the intercept is zero below this share of the sum of its absolute terms, and a move below
// this share of the largest linear predictor: some epsilon. A tenth is below epsilon and never met; at ten
// times intercepts lose a digit.
constexpr double rounding = 1e-15;
// X'W X is kept for at most this many columns (32 MB). Only speed and memory depend on it.
constexpr Index most_in_gram = 2000;
// The inverse of X'W X is computed when it has been asked for `patience` times, since it takes as long as
// some steps, and only where X times it has at most most_in_inverse numbers (64 MB). Only speed and memory
// depend on these. It also requires that no pivot is below leverage_pivot, because H_ii are computed from it.
constexpr int patience = 3;
constexpr Index most_in_inverse = Index{1} << 23;

}  // namespace

Matrix along_both(const Matrix& matrix, const Geometry& geometry) {
  return tangent_columns(blas::transposed(tangent_columns(matrix, geometry)), geometry);
}

WorkingLoss::WorkingLoss(const Problem& problem, Vector weights, Columns columns)
    : problem_(problem),
      weights_(std::move(weights)),
      all_(columns == Columns::all),
      places_(static_cast<std::size_t>(problem.columns()), -1) {
  const Index most = std::min(problem.rows(), most_in_gram);
  if (all_ && problem.loss().is_quadratic() && problem.columns() <= most) fill_products();
}

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
  if (problem_.intercept()) minimize_over_intercept(point);
  const Vector& response = problem_.data().response;
  point.loss = weights_.dot(problem_.loss().value(point.predictor, response));
  point.residual = -weights_.cwiseProduct(problem_.loss().derivative(point.predictor, response));
  return point;
}

WorkingLoss::Point WorkingLoss::moved(const Point& from, Vector coefficients, Vector& slopes) const {
  const Vector move = coefficients - from.coefficients;
  const Vector change = blas::multiply_symmetric(products_, move);
  Point point;
  point.loss = from.loss - move.dot(slopes) + 0.5 * move.dot(change);
  point.coefficients = std::move(coefficients);
  point.intercept = from.intercept;
  slopes -= change;
  return point;
}

// The derivative by the intercept rises with it, so its zero is found by Newton steps inside a bracket, with
// bisection where a step leaves the bracket. While a bound is missing a step is at most `reach`, which
// doubles.
void WorkingLoss::minimize_over_intercept(Point& point) const {
  const Vector& response = problem_.data().response;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double reach = 1.0;
  for (int step = 0; step < most_intercept_steps; ++step) {
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
Vector WorkingLoss::weighted_product(const Vector& coefficients, const Vector& curvature) const {
  Vector result = product(coefficients);
  if (problem_.intercept()) result.array() -= curvature.dot(result) / curvature.sum();
  return curvature.cwiseSqrt().cwiseProduct(result);
}

Vector WorkingLoss::weighted_slopes(const Vector& rows, const Vector& curvature) const {
  Vector residual = curvature.cwiseSqrt().cwiseProduct(rows);
  if (problem_.intercept()) residual -= residual.sum() / curvature.sum() * curvature;
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

Matrix WorkingLoss::tangent(const Geometry& geometry, const Vector& curvature) const {
  Matrix columns = all_ ? tangent_design(problem_.design(), geometry)
                        : tangent_columns(Matrix(block_(Eigen::all, places(geometry.coordinates))), geometry);
  if (problem_.intercept() && curvature.sum() > 0.0) {
    const Vector means = blas::transpose_multiply_vector(columns, curvature) / curvature.sum();
    columns.rowwise() -= means.transpose();
  }
  return columns;
}

Matrix WorkingLoss::curvature(const Geometry& geometry, const Point& point) {
  if (geometry.dimension() == 0) return {};
  if (keeps_products()) return along_both(products_, geometry);
  if (all_ || !problem_.loss().is_quadratic()) return blas::gram(weighted_tangent(geometry, point));
  std::vector<Index> members = places(geometry.coordinates);
  extend_gram(members);
  for (Index& place : members) place = gram_positions_[static_cast<std::size_t>(place)];
  Matrix result = along_both(gram_(members, members), geometry);
  if (problem_.intercept()) {
    const Vector own = tangent_columns(Matrix(sums_(members).transpose()), geometry).transpose();
    result -= own * own.transpose() / weights_.sum();
  }
  return result;
}

Matrix WorkingLoss::centered_columns() const {
  std::vector<Index> all(static_cast<std::size_t>(problem_.columns()));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix columns = problem_.design().gather(all);
  for (const Index j : problem_.constant_columns()) columns.col(j).setZero();
  if (problem_.intercept()) {
    const Vector means = blas::transpose_multiply_vector(columns, weights_) / weights_.sum();
    columns.rowwise() -= means.transpose();
  }
  return columns;
}

void WorkingLoss::fill_products() {
  products_ = blas::gram(weights_.cwiseSqrt().asDiagonal() * centered_columns());
}

std::shared_ptr<const WorkingLoss::Inverse> WorkingLoss::inverse() {
  if (inverse_) return inverse_;
  if (!keeps_products() || asked_ < 0 || rows() * problem_.columns() > most_in_inverse) return nullptr;
  if (++asked_ < patience) return nullptr;
  asked_ = -1;
  auto lower = blas::cholesky(products_);
  const auto diagonal = products_.diagonal().array();
  if (!lower || (lower->diagonal().array().square() <= tolerances::leverage_pivot * diagonal).any()) {
    return nullptr;
  }
  const Matrix columns = centered_columns();
  Inverse found;
  found.products = blas::inverse_from_cholesky(std::move(*lower));
  found.rows = blas::multiply(columns, found.products);
  found.hat = columns.cwiseProduct(found.rows).rowwise().sum();
  if (problem_.intercept()) found.hat.array() += 1.0 / weights_.sum();
  inverse_ = std::make_shared<const Inverse>(std::move(found));
  return inverse_;
}

Matrix WorkingLoss::weighted_tangent(const Geometry& geometry, const Point& point) const {
  const Vector curvature = row_curvature(point);
  return curvature.cwiseSqrt().asDiagonal() * tangent(geometry, curvature);
}

Vector WorkingLoss::hat(const Geometry& geometry, const Point& point, const Matrix& factor) const {
  const Vector curvature = row_curvature(point);
  Matrix columns = tangent(geometry, curvature);
  blas::solve_right_transposed_in_place(factor, columns);
  Vector result = columns.rowwise().squaredNorm();
  if (problem_.intercept()) result.array() += 1.0 / curvature.sum();
  return result;
}

Vector WorkingLoss::hat(const Point& point, const Vector& free_shares) const {
  const Vector curvature = row_curvature(point);
  if (!(curvature.array() > 0.0).all()) return {};
  Vector result = (1.0 - free_shares.array()) / curvature.array();
  if (problem_.intercept()) result.array() += 1.0 / curvature.sum();
  return result;
}

}  // namespace alo
