// SPDX-License-Identifier: MIT
#include "solvers/tangent_step.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Below this share of its diagonal entry a pivot is that of dependent directions.
constexpr double pivot_tolerance = 1e-11;
// A smaller share of a pivot in its diagonal entry has lost too many digits for H_ii.
constexpr double hat_pivot_tolerance = 1e-6;
constexpr double first_damping = 1e-10;
// So many times more directions than rows make the form by rows the cheaper one.
constexpr double many_directions = 1.3;

// L with L L' = the matrix, to which more and more of the identity is added where it is singular.
struct DampedFactor {
  Matrix lower;
  bool damped = false;
};
DampedFactor damped_factor(const Matrix& matrix, double unit) {
  const double largest = matrix.size() == 0 ? 0.0 : matrix.diagonal().maxCoeff();
  const Vector diagonal =
      matrix.diagonal().cwiseMax(std::numeric_limits<double>::epsilon() * largest / pivot_tolerance);
  double damping = 0.0;
  while (true) {
    Matrix system = matrix;
    system.diagonal().array() += damping;
    if (auto lower = blas::cholesky(std::move(system))) {
      const auto pivots = lower->diagonal().array().square();
      if (damping > 0.0 || (pivots > pivot_tolerance * diagonal.array()).all()) {
        return {std::move(*lower), damping > 0.0};
      }
    }
    damping = damping == 0.0 ? first_damping * std::max(unit, diagonal.maxCoeff()) : 100.0 * damping;
  }
}

}  // namespace

Vector solve_with(const Matrix& factor, const Vector& right) {
  return blas::solve_lower_transposed(factor, blas::solve_lower(factor, right));
}

TangentStep tangent_step_by_directions(WorkingLoss& loss, const Geometry& geometry,
                                       const WorkingLoss::Point& point, const Vector& right, double unit) {
  Matrix system = loss.curvature(geometry, point);
  system.diagonal() += geometry.curvature;
  DampedFactor factor = damped_factor(system, unit);
  Vector directions = solve_with(factor.lower, right);
  return {std::move(directions), factor.damped, std::move(factor.lower)};
}

// With A the columns of the directions times the roots of the rows' curvatures, E those with a curvature of
// their own and F the others, v = A t: Q_E t_E = r_E - A_E'v and A_F'v = r_F, hence
//     (I + A_E Q_E^-1 A_E') v = A_E Q_E^-1 r_E + A_F t_F.
TangentStep tangent_step_by_rows(const WorkingLoss& loss, const Geometry& geometry,
                                 const WorkingLoss::Point& point, const Vector& right, double unit) {
  std::vector<Index> curved;
  std::vector<Index> straight;
  for (Index k = 0; k < geometry.dimension(); ++k) {
    (geometry.curvature[k] > 0.0 ? curved : straight).push_back(k);
  }
  const Matrix all = loss.weighted_tangent(geometry, point);
  const Vector roots = geometry.curvature(curved).cwiseSqrt();
  const Matrix bent = all(Eigen::all, curved) * roots.cwiseInverse().asDiagonal();
  Matrix rows = blas::gram(bent.transpose());
  rows.diagonal().array() += 1.0;
  const Matrix lower = blas::cholesky(std::move(rows)).value();
  const Matrix free = blas::solve_lower(lower, all(Eigen::all, straight));
  const Vector scaled = right(curved).cwiseQuotient(roots);
  const Vector pulled = blas::solve_lower(lower, blas::multiply_vector(bent, scaled));
  TangentStep step;
  step.directions.resize(geometry.dimension());
  Vector sum = pulled;
  if (!straight.empty()) {
    const DampedFactor factor = damped_factor(blas::gram(free), unit);
    const Vector own = solve_with(factor.lower, right(straight) - free.transpose() * pulled);
    step.damped = factor.damped;
    step.directions(straight) = own;
    sum += free * own;
  }
  const Vector moved = blas::solve_lower_transposed(lower, sum);
  step.directions(curved) = (scaled - blas::transpose_multiply_vector(bent, moved)).cwiseQuotient(roots);
  return step;
}

TangentStep tangent_step(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                         const Vector& right, double unit) {
  const auto rows = static_cast<double>(point.predictor.size());
  const auto straight = static_cast<double>((geometry.curvature.array() == 0.0).count());
  if (static_cast<double>(geometry.dimension()) > many_directions * rows && straight < 0.5 * rows) {
    return tangent_step_by_rows(loss, geometry, point, right, unit);
  }
  return tangent_step_by_directions(loss, geometry, point, right, unit);
}

Vector tangent_hat(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) {
  if (geometry.dimension() > point.predictor.size()) return {};
  Matrix system = loss.curvature(geometry, point);
  system.diagonal() += geometry.curvature;
  const Vector diagonal = system.diagonal();
  const double largest = diagonal.size() == 0 ? 0.0 : diagonal.maxCoeff();
  const auto lower = blas::cholesky(std::move(system));
  if (!lower || (lower->diagonal().array().square() <= hat_pivot_tolerance * diagonal.array()).any() ||
      (diagonal.array() < std::numeric_limits<double>::epsilon() * largest).any()) {
    return {};
  }
  return loss.hat(geometry, point, *lower);
}

}  // namespace alo
