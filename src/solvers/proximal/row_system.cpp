// SPDX-License-Identifier: MIT
#include "solvers/proximal/row_system.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// The form by rows is the cheaper one where the directions are more than this many times the rows, and those
// without curvature fewer than this share of them.
constexpr double many_directions = 1.3;
constexpr double few_straight = 0.5;
// Steps are solved for to this share of their length, in the norm of S. Newton's method needs no more digits
// far from the solution, and near it the share is taken of shorter and shorter steps.
constexpr double step_tolerance = 1e-5;
// The number of steps of conjugate gradients that cost about as much as a factorisation.
constexpr int most_steps = 12;
// What may be left of the right hand side: where S is nearly singular, digits are lost on the way over v.
// With ten times as much, Newton's method would stall on such steps.
constexpr double residual_share = 1e-3;

// The system of one geometry and point, by products with the columns at work.
class TangentProducts {
 public:
  TangentProducts(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point)
      : loss_(loss),
        geometry_(geometry),
        columns_(point.coefficients.size()),
        curvature_(loss.row_curvature(point)),
        inverse_((geometry.curvature.array() > 0.0).select(geometry.curvature.cwiseInverse(), 0.0)) {
    for (Index k = 0; k < geometry.dimension(); ++k) {
      if (geometry.curvature[k] == 0.0) straight_.push_back(k);
    }
  }

  // A_F
  Matrix free() const {
    Matrix result(curvature_.size(), static_cast<Index>(straight_.size()));
    for (std::size_t k = 0; k < straight_.size(); ++k) {
      result.col(static_cast<Index>(k)) = forward(Vector::Unit(geometry_.dimension(), straight_[k]));
    }
    return result;
  }

  // t; none where `most_steps` are too few, or rounding leaves too much of the right hand side.
  std::optional<Vector> solve(const RowElimination& preconditioner, const Vector& right) const {
    auto result = solve_over_rows(preconditioner, right);
    if (!result) return std::nullopt;
    const Vector left = right - backward(forward(*result)) - geometry_.curvature.cwiseProduct(*result);
    const bool is_solved = left.lpNorm<Eigen::Infinity>() <= residual_share * right.lpNorm<Eigen::Infinity>();
    return is_solved ? result : std::nullopt;
  }

 private:
  // Conjugate gradients for v in the space that A_F'v = r_F leaves, in which the residual is -A_F t_F.
  std::optional<Vector> solve_over_rows(const RowElimination& preconditioner, const Vector& right) const {
    const Vector given = forward(inverse_.cwiseProduct(right));
    const Vector none = Vector::Zero(static_cast<Index>(straight_.size()));
    auto [v, straight, size] = preconditioner.solve(given, right(straight_));
    Vector residual = given - system(v);
    RowElimination::Solution correction = preconditioner.solve(residual, none);
    Vector direction = correction.rows;
    for (int step = 0; std::sqrt(correction.square) > step_tolerance * std::sqrt(size); ++step) {
      if (step == most_steps) return std::nullopt;
      const double square = correction.square;
      const Vector image = system(direction);
      const double length = square / direction.dot(image);
      v += length * direction;
      residual -= length * image;
      correction = preconditioner.solve(residual, none);
      direction = correction.rows + (correction.square / square) * direction;
    }
    Vector result = inverse_.cwiseProduct(right - backward(v));
    result(straight_) = correction.straight;
    return result;
  }

  // A t, A'v and S v
  Vector forward(const Vector& directions) const {
    return loss_.weighted_product(along(geometry_, directions, columns_), curvature_);
  }
  Vector backward(const Vector& rows) const {
    return onto(geometry_, loss_.weighted_slopes(rows, curvature_));
  }
  Vector system(const Vector& v) const { return v + forward(inverse_.cwiseProduct(backward(v))); }

  const WorkingLoss& loss_;
  const Geometry& geometry_;
  Index columns_;
  Vector curvature_;
  Vector inverse_;               // of Q; zero on F
  std::vector<Index> straight_;  // F
};

}  // namespace

bool RowSystem::is_worth(const Geometry& geometry, Index rows) {
  const auto straight = static_cast<double>((geometry.curvature.array() == 0.0).count());
  return static_cast<double>(geometry.dimension()) > many_directions * static_cast<double>(rows) &&
         straight < few_straight * static_cast<double>(rows);
}

std::optional<Vector> RowSystem::solve(const WorkingLoss& loss, const Geometry& geometry,
                                       const WorkingLoss::Point& point, const Vector& right) {
  if (is_given_up_) return std::nullopt;
  const TangentProducts products(loss, geometry, point);
  for (const bool is_fresh : {false, true}) {
    if (is_fresh || !lower_) lower_ = TangentColumns(loss, geometry, point).row_factor();
    if (!lower_) break;
    const RowElimination preconditioner(lower_, products.free(), 1.0);
    if (preconditioner.outcome() != DampedFactor::Outcome::regular) break;
    if (auto result = products.solve(preconditioner, right)) return result;
  }
  is_given_up_ = true;
  return std::nullopt;
}

Vector RowSystem::hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) {
  TangentColumns columns(loss, geometry, point);
  auto lower = columns.row_factor();
  if (!lower) return {};
  lower_ = std::move(lower);
  if (!keeps_identity(*lower_)) return {};
  return RowElimination(lower_, std::move(columns.free), 1.0).hat(loss, point);
}

}  // namespace alo
