// SPDX-License-Identifier: MIT
#include "solvers/proximal/row_elimination.hpp"

#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// Squared pivots of S, which are at least one, relative to the largest: below this, S^-1 has less than half
// of its digits left. With ten times as much, systems with small lambda would go to the slower form by
// directions.
constexpr double smallest_pivot = 1e-8;

}  // namespace

TangentColumns::TangentColumns(const WorkingLoss& loss, const Geometry& geometry,
                               const WorkingLoss::Point& point) {
  for (Index k = 0; k < geometry.dimension(); ++k) {
    (geometry.curvature[k] > 0.0 ? curved : straight).push_back(k);
  }
  const Matrix all = loss.weighted_tangent(geometry, point);
  roots = geometry.curvature(curved).cwiseSqrt();
  scaled = all(Eigen::all, curved) * roots.cwiseInverse().asDiagonal();
  free = all(Eigen::all, straight);
}

std::shared_ptr<const Matrix> TangentColumns::row_factor() const {
  Matrix rows = blas::row_gram(scaled);
  rows.diagonal().array() += 1.0;
  auto lower = rows.diagonal().allFinite() ? blas::cholesky(std::move(rows)) : std::nullopt;
  return lower ? std::make_shared<const Matrix>(std::move(*lower)) : nullptr;
}

bool keeps_identity(const Matrix& lower) {
  const auto pivots = lower.diagonal().array().square();
  return pivots.minCoeff() >= smallest_pivot * pivots.maxCoeff();
}

RowElimination::RowElimination(std::shared_ptr<const Matrix> lower, Matrix free, double unit)
    : lower_(std::move(lower)),
      free_(blas::solve_lower(*lower_, std::move(free))),
      inner_(damped_factor(blas::gram(free_), unit)) {}

RowElimination::Solution RowElimination::solve(const Vector& given, const Vector& right_straight) const {
  Solution result;
  Vector sum = blas::solve_lower(*lower_, given);
  if (free_.cols() > 0) {
    const Vector left = right_straight - blas::transpose_multiply_vector(free_, sum);
    result.straight = blas::solve_lower_transposed(inner_.lower, blas::solve_lower(inner_.lower, left));
    sum += blas::multiply_vector(free_, result.straight);
  }
  result.square = sum.squaredNorm();
  result.rows = blas::solve_lower_transposed(*lower_, sum);
  return result;
}

Vector RowElimination::hat(const WorkingLoss& loss, const WorkingLoss::Point& point) const {
  if (inner_.outcome != DampedFactor::Outcome::regular || inner_.least_share <= tolerances::leverage_pivot)
    return {};
  Vector shares = blas::inverse_from_cholesky(*lower_).diagonal();
  if (free_.cols() > 0) {
    Matrix taken = blas::solve_lower_transposed(*lower_, free_);
    blas::solve_right_transposed_in_place(inner_.lower, taken);
    shares -= taken.rowwise().squaredNorm();
  }
  return loss.hat(point, shares);
}

}  // namespace alo
