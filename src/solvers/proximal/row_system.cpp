// SPDX-License-Identifier: MIT
#include "solvers/proximal/row_system.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// So many times more directions than rows make this form the cheaper one.
constexpr double many_directions = 1.3;
constexpr double few_straight = 0.5;
// Shares of a pivot in its diagonal entry: of dependent directions, and of too few digits for H_ii.
constexpr double pivot_tolerance = 1e-11;
constexpr double hat_pivot_tolerance = 1e-6;
// Of S, which is at least the identity, beside the largest: below it too few digits of S^-1 are left.
constexpr double smallest_pivot = 1e-8;
// Steps are solved for to this share of their length, in the norm of S.
constexpr double step_tolerance = 1e-5;
// Together these cost about as much as a factor.
constexpr int most_steps = 12;
// What may be left of the right hand side: where S is nearly singular, digits are lost on the way over v.
constexpr double residual_share = 1e-3;

// The system of one geometry and point, with an older factor of S.
class PreconditionedRows {
 public:
  PreconditionedRows(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                     const Matrix& lower)
      : loss_(loss),
        geometry_(geometry),
        columns_(point.coefficients.size()),
        bend_(loss.row_curvature(point)),
        lower_(lower) {
    for (Index k = 0; k < geometry.dimension(); ++k) {
      if (geometry.curvature[k] == 0.0) straight_.push_back(k);
    }
    inverse_ = (geometry.curvature.array() > 0.0).select(geometry.curvature.cwiseInverse(), 0.0);
    free_.resize(bend_.size(), static_cast<Index>(straight_.size()));
    for (std::size_t k = 0; k < straight_.size(); ++k) {
      free_.col(static_cast<Index>(k)) = forward(Vector::Unit(geometry.dimension(), straight_[k]));
    }
    blas::solve_lower_in_place(lower_, free_);
  }

  // The factor of A_F'(L L')^-1 A_F; false where a pivot is too small.
  bool factor_straight(double tolerance) {
    if (straight_.empty()) return true;
    Matrix products = blas::gram(free_);
    const Vector diagonal = products.diagonal();
    auto inner = blas::cholesky(std::move(products));
    if (!inner || (inner->diagonal().array().square() <= tolerance * diagonal.array()).any()) return false;
    inner_ = std::move(*inner);
    return true;
  }

  // t; none where `most_steps` do not do, or rounding leaves too much of the right hand side.
  std::optional<Vector> solve(const Vector& right) const {
    auto result = solve_over_rows(right);
    if (!result) return std::nullopt;
    const Vector left = right - backward(forward(*result)) - geometry_.curvature.cwiseProduct(*result);
    const bool is_solved = left.lpNorm<Eigen::Infinity>() <= residual_share * right.lpNorm<Eigen::Infinity>();
    return is_solved ? result : std::nullopt;
  }

  // diag(S^-1 - S^-1 A_F (A_F'S^-1 A_F)^-1 A_F'S^-1), of a factor that is that of S.
  Vector complement() const {
    Vector result = blas::inverse_from_cholesky(lower_).diagonal();
    if (straight_.empty()) return result;
    Matrix taken = blas::solve_lower_transposed(lower_, free_);
    blas::solve_right_transposed_in_place(inner_, taken);
    return result - taken.rowwise().squaredNorm();
  }

 private:
  std::optional<Vector> solve_over_rows(const Vector& right) const {
    const Vector given = forward(inverse_.cwiseProduct(right));
    const Vector first = blas::solve_lower(lower_, given);
    const Vector sum = first + pulled(right(straight_) - blas::transpose_multiply_vector(free_, first));
    const double enough = step_tolerance * sum.norm();
    Vector v = blas::solve_lower_transposed(lower_, sum);
    Vector residual = given - system(v);
    Vector half = projected(residual);
    Vector direction = blas::solve_lower_transposed(lower_, half);
    double square = half.squaredNorm();
    for (int step = 0; std::sqrt(square) > enough; ++step) {
      if (step == most_steps) return std::nullopt;
      const Vector image = system(direction);
      const double length = square / direction.dot(image);
      v += length * direction;
      residual -= length * image;
      half = projected(residual);
      const double next = half.squaredNorm();
      direction = blas::solve_lower_transposed(lower_, half) + (next / square) * direction;
      square = next;
    }
    Vector result = inverse_.cwiseProduct(right - backward(v));
    result(straight_) =
        coordinates(-blas::transpose_multiply_vector(free_, blas::solve_lower(lower_, residual)));
    return result;
  }

  // A t and A'v
  Vector forward(const Vector& directions) const {
    return loss_.weighted_product(along(geometry_, directions, columns_), bend_);
  }
  Vector backward(const Vector& rows) const { return onto(geometry_, loss_.weighted_slopes(rows, bend_)); }
  Vector system(const Vector& v) const { return v + forward(inverse_.cwiseProduct(backward(v))); }
  // (A_F'(L L')^-1 A_F)^-1 r, and L^-1 A_F times it
  Vector coordinates(const Vector& right) const {
    if (straight_.empty()) return {};
    return blas::solve_lower_transposed(inner_, blas::solve_lower(inner_, right));
  }
  Vector pulled(const Vector& right) const {
    if (straight_.empty()) return Vector::Zero(bend_.size());
    return blas::multiply_vector(free_, coordinates(right));
  }
  // L^-1 r less its part along L^-1 A_F
  Vector projected(const Vector& right) const {
    const Vector solved = blas::solve_lower(lower_, right);
    return solved - pulled(blas::transpose_multiply_vector(free_, solved));
  }

  const WorkingLoss& loss_;
  const Geometry& geometry_;
  Index columns_;
  Vector bend_;
  const Matrix& lower_;
  std::vector<Index> straight_;  // F
  Vector inverse_;               // of Q; zero on F
  Matrix free_;                  // L^-1 A_F
  Matrix inner_;
};

}  // namespace

bool RowSystem::suits(const Geometry& geometry, Index rows) {
  const auto straight = static_cast<double>((geometry.curvature.array() == 0.0).count());
  return static_cast<double>(geometry.dimension()) > many_directions * static_cast<double>(rows) &&
         straight < few_straight * static_cast<double>(rows);
}

bool RowSystem::factor(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) {
  Matrix columns = loss.weighted_tangent(geometry, point);
  const auto curved = geometry.curvature.array() > 0.0;
  columns *= curved.select(geometry.curvature.cwiseSqrt().cwiseInverse(), 0.0).matrix().asDiagonal();
  Matrix system = blas::row_gram(columns);
  system.diagonal().array() += 1.0;
  auto lower = blas::cholesky(std::move(system));
  if (!lower) return false;
  lower_ = std::move(*lower);
  return true;
}

std::optional<Vector> RowSystem::solve(const WorkingLoss& loss, const Geometry& geometry,
                                       const WorkingLoss::Point& point, const Vector& right) {
  if (is_given_up_) return std::nullopt;
  for (const bool is_fresh : {false, true}) {
    if ((is_fresh || lower_.size() == 0) && !factor(loss, geometry, point)) break;
    PreconditionedRows rows(loss, geometry, point, lower_);
    if (!rows.factor_straight(pivot_tolerance)) break;
    if (auto result = rows.solve(right)) return result;
  }
  is_given_up_ = true;
  return std::nullopt;
}

Vector RowSystem::hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) {
  if (!factor(loss, geometry, point)) return {};
  const auto pivots = lower_.diagonal().array().square();
  if (pivots.minCoeff() < smallest_pivot * pivots.maxCoeff()) return {};
  PreconditionedRows rows(loss, geometry, point, lower_);
  if (!rows.factor_straight(hat_pivot_tolerance)) return {};
  return loss.hat(point, rows.complement());
}

}  // namespace alo
