// SPDX-License-Identifier: MIT
#include "solvers/kinked/pinned_face.hpp"

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A row depends on the others when its pivot is below this share of the largest. Pivots have errors near
// 1e-15 times the square root of the number of rows; the value is that of computed columns. At a tenth copies
// of a row could pass for independent ones and their gradients be rounding; at ten times rows that differ in
// the tenth digit are taken for copies.
constexpr double dependent_row = tolerances::tangent_rank;
// The same for a diagonal entry of the reduced system, relative to the entry before elimination, and for
// curvature along a direction, relative to the largest.
constexpr double face_rank = tolerances::tangent_rank;
// A system has no solution if more than this share of its right-hand side is left. Rounding leaves 1e-15
// times the condition number, at most 1e-11 by the tolerances above, with some digits to spare; a part
// without a solution is a large share. Any value between 1e-10 and 1e-3 serves.
constexpr double face_unsolved = 1e-9;

}  // namespace

PinnedFace::PinnedFace(const Matrix& rows, Vector curvature)
    : curvature_(std::move(curvature)), rows_(rows.cols()) {
  const Index size = curvature_.size();
  Matrix basis = Matrix::Identity(size, size);
  Index rank = 0;
  if (rows.cols() > 0) {
    dense::PivotedFactors factors = dense::pivoted_factors(rows, dependent_row);
    rank = factors.rank;
    basis = std::move(factors.q);
    triangle_ = std::move(factors.triangle);
    chosen_.assign(factors.order.begin(), factors.order.begin() + rank);
  }
  range_ = basis.leftCols(rank);
  rest_ = basis.rightCols(size - rank);
  reduced_ = blas::transpose_multiply(rest_, curvature_.asDiagonal() * rest_);
  auto factor = blas::cholesky(reduced_);
  determined_ = factor && (factor->diagonal().array().square() > least_curvature()).all();
  if (determined_) reduced_ = std::move(*factor);
}

// The curvature along a direction that is rounding if it is smaller.
double PinnedFace::least_curvature() const {
  return face_rank * curvature_.lpNorm<Eigen::Infinity>();
}

std::optional<PinnedFace::Move> PinnedFace::solve(const Vector& slope, const Vector& missing) const {
  const auto upper = triangle_.triangularView<Eigen::Upper>();
  Move move{Vector::Zero(curvature_.size()), Vector::Zero(rows_)};
  if (!chosen_.empty()) move.coefficients = range_ * upper.transpose().solve(Vector(missing(chosen_)));
  const Vector wanted = rest_.transpose() * (slope - curvature_.cwiseProduct(move.coefficients));
  if (determined_) {
    move.coefficients += rest_ * blas::solve_lower_transposed(reduced_, blas::solve_lower(reduced_, wanted));
  } else {
    const dense::Eigenpairs system = dense::eigenpairs(reduced_);
    const auto curved = system.values.array() > least_curvature();
    const Vector inverse = curved.select(system.values.array().inverse(), 0.0);
    const Vector along = system.vectors * inverse.cwiseProduct(system.vectors.transpose() * wanted);
    const double left = (reduced_ * along - wanted).lpNorm<Eigen::Infinity>();
    const double size = std::max(slope.lpNorm<Eigen::Infinity>(),
                                 curvature_.cwiseProduct(move.coefficients).lpNorm<Eigen::Infinity>());
    if (!(left <= face_unsolved * size)) return std::nullopt;
    move.coefficients += rest_ * along;
  }
  const Vector pull = slope - curvature_.cwiseProduct(move.coefficients);
  if (!chosen_.empty()) move.gradient(chosen_) = Vector(upper.solve(range_.transpose() * pull));
  return move;
}

Matrix PinnedFace::free_directions() const {
  return blas::solve_lower(reduced_, rest_.transpose()).transpose();
}

Vector PinnedFace::hat() const {
  Vector result = Vector::Constant(rows_, undefined);
  const auto count = static_cast<Index>(chosen_.size());
  if (count == 0) return result;
  // The diagonal is that of squares of Q^1/2 U R^-T, less their parts along the free directions.
  const Matrix inverse =
      triangle_.triangularView<Eigen::Upper>().solve(Matrix(Matrix::Identity(count, count)));
  const Vector root = curvature_.cwiseSqrt();
  const Matrix whole = root.asDiagonal() * blas::multiply(range_, inverse.transpose());
  const Matrix free = root.asDiagonal() * free_directions();
  Matrix held = whole;
  blas::add_product(held, -1.0, free, blas::transpose_multiply(free, whole));
  for (Index k = 0; k < count; ++k) {
    const double diagonal = held.col(k).squaredNorm();
    const bool alone = diagonal <= face_rank * whole.col(k).squaredNorm();
    if (!alone) result[chosen_[static_cast<std::size_t>(k)]] = 1.0 / diagonal;
  }
  return result;
}

}  // namespace alo
