// SPDX-License-Identifier: MIT
#include "solvers/proximal/tangent_system.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/proximal/row_system.hpp"

namespace alo {

namespace {

// The form by the complement is the cheaper one where the directions of the whole space that have a curvature
// or are closed, which are the size of its system, are fewer than this share of the geometry's directions.
constexpr double few_curved = 0.85;

// The geometry with all directions of the space of matrices; those outside its tangent space get infinite
// curvature.
struct WholeSpace {
  Geometry geometry;
  std::vector<Index> places;  // of the directions of the given geometry
};
WholeSpace whole_space(const Geometry& geometry) {
  WholeSpace whole;
  MatrixDirections all = *geometry.matrix;
  const Index p1 = all.left.rows();
  const Index p2 = all.right.rows();
  all.rank = p1;
  for (Index k = 0; k < p1; ++k) {
    for (Index l = 0; l < (k < geometry.matrix->rank ? p2 : geometry.matrix->rank); ++l) {
      whole.places.push_back(all.place(k, l));
    }
  }
  whole.geometry.curvature = Vector::Constant(p1 * p2, std::numeric_limits<double>::infinity());
  for (Index k = 0; k < geometry.dimension(); ++k) {
    whole.geometry.curvature[whole.places[static_cast<std::size_t>(k)]] = geometry.curvature[k];
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < geometry.mirrors.cols(); ++k) {
    for (SparseMatrix::InnerIterator entry(geometry.mirrors, k); entry; ++entry) {
      entries.emplace_back(whole.places[static_cast<std::size_t>(entry.row())], k, entry.value());
    }
  }
  whole.geometry.mirrors = SparseMatrix(p1 * p2, geometry.mirrors.cols());
  whole.geometry.mirrors.setFromTriplets(entries.begin(), entries.end());
  whole.geometry.matrix = std::move(all);
  return whole;
}

}  // namespace

TangentSystem::TangentSystem(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                             double unit, Form form) {
  if (form == Form::cheapest) {
    if (auto rows = by_rows(loss, geometry, point, unit)) {
      form_.emplace<ByRows>(std::move(*rows));
      return;
    }
    if (auto complement = by_complement(loss, geometry)) {
      form_.emplace<ByComplement>(std::move(*complement));
      return;
    }
  }
  form_.emplace<ByDirections>(by_directions(loss, geometry, point, unit));
}

Vector TangentSystem::solve(const Vector& right) const {
  if (outcome_ == DampedFactor::Outcome::not_finite) return Vector::Zero(right.size());
  return std::visit([&](const auto& form) { return solve(form, right); }, form_);
}

TangentSystem::ByDirections TangentSystem::by_directions(WorkingLoss& loss, const Geometry& geometry,
                                                         const WorkingLoss::Point& point, double unit) {
  Matrix system = loss.curvature(geometry, point);
  system.diagonal() += geometry.curvature;
  DampedFactor factor = damped_factor(system, unit);
  outcome_ = factor.outcome;
  return {std::move(factor.lower)};
}

Vector TangentSystem::solve(const ByDirections& form, const Vector& right) {
  return blas::solve_lower_transposed(form.lower, blas::solve_lower(form.lower, right));
}

std::optional<TangentSystem::ByRows> TangentSystem::by_rows(const WorkingLoss& loss, const Geometry& geometry,
                                                            const WorkingLoss::Point& point, double unit) {
  if (!RowSystem::is_worth(geometry, loss.rows())) return std::nullopt;
  TangentColumns columns(loss, geometry, point);
  auto lower = columns.row_factor();
  if (!lower || !keeps_identity(*lower)) return std::nullopt;
  RowElimination elimination(std::move(lower), std::move(columns.free), unit);
  outcome_ = elimination.outcome();
  return ByRows{std::move(columns), std::move(elimination)};
}

Vector TangentSystem::solve(const ByRows& form, const Vector& right) {
  const TangentColumns& columns = form.columns;
  const Vector scaled = right(columns.curved).cwiseQuotient(columns.roots);
  const auto solution =
      form.elimination.solve(blas::multiply_vector(columns.scaled, scaled), right(columns.straight));
  Vector directions(right.size());
  directions(columns.straight) = solution.straight;
  directions(columns.curved) =
      (scaled - blas::transpose_multiply_vector(columns.scaled, solution.rows)).cwiseQuotient(columns.roots);
  return directions;
}

std::optional<TangentSystem::ByComplement> TangentSystem::by_complement(WorkingLoss& loss,
                                                                        const Geometry& geometry) {
  if (!geometry.matrix) return std::nullopt;
  const Index curved = geometry.matrix->left.rows() * geometry.matrix->right.rows() -
                       (geometry.curvature.array() == 0.0).count();
  if (static_cast<double>(curved) > few_curved * static_cast<double>(geometry.dimension()))
    return std::nullopt;
  ByComplement form;
  form.inverse = loss.inverse();
  if (form.inverse == nullptr) return std::nullopt;
  WholeSpace whole = whole_space(geometry);
  form.all = std::move(whole.geometry);
  form.open = std::move(whole.places);
  for (Index k = 0; k < form.all.dimension(); ++k) {
    if (form.all.curvature[k] > 0.0) form.curved.push_back(k);
  }
  form.mirrored = mirrored_pairs(form.all.mirrors, form.curved);
  form.unmirrored.matrix = form.all.matrix;
  Matrix system = form.columns(blas::transposed(form.columns(form.inverse->products)));
  system.diagonal() += form.all.curvature(form.curved).cwiseInverse();
  auto lower = blas::cholesky(std::move(system));
  if (!lower) return std::nullopt;
  form.lower = std::move(*lower);
  return form;
}

std::vector<TangentSystem::MirroredPair> TangentSystem::mirrored_pairs(const SparseMatrix& mirrors,
                                                                       const std::vector<Index>& some) {
  std::vector<MirroredPair> every;
  for (Index k = 0; k < mirrors.rows(); ++k) every.push_back({k, k, 1.0, 0.0});
  for (Index k = 0; k < mirrors.cols(); ++k) {
    SparseMatrix::InnerIterator entry(mirrors, k);
    const SparseMatrix::InnerIterator one = entry;
    const SparseMatrix::InnerIterator two = ++entry;
    const auto pair = [](const auto& own, const auto& other) {
      return MirroredPair{own.row(), other.row(), 1.0 - own.value() * own.value(),
                          -own.value() * other.value()};
    };
    every[static_cast<std::size_t>(one.row())] = pair(one, two);
    every[static_cast<std::size_t>(two.row())] = pair(two, one);
  }
  std::vector<MirroredPair> result;
  for (const Index k : some) result.push_back(every[static_cast<std::size_t>(k)]);
  return result;
}

Matrix TangentSystem::ByComplement::columns(const Matrix& a) const {
  const Matrix turned = tangent_columns(a, unmirrored);
  Matrix result(a.rows(), static_cast<Index>(mirrored.size()));
  for (Index k = 0; k < result.cols(); ++k) {
    const MirroredPair& pair = mirrored[static_cast<std::size_t>(k)];
    result.col(k) = pair.own * turned.col(pair.first) + pair.other * turned.col(pair.second);
  }
  return result;
}

Vector TangentSystem::solve(const ByComplement& form, const Vector& right) {
  const Index columns = form.inverse->products.cols();
  Vector directions = Vector::Zero(form.all.dimension());
  directions(form.open) = right;
  const Vector moved = blas::multiply_symmetric(form.inverse->products, along(form.all, directions, columns));
  const Vector pulled = onto(form.all, moved)(form.curved);
  directions.setZero();
  directions(form.curved) = solve(ByDirections{form.lower}, pulled);
  const Vector held = blas::multiply_symmetric(form.inverse->products, along(form.all, directions, columns));
  return onto(form.all, moved - held)(form.open);
}

Vector TangentSystem::hat(const ByComplement& form) {
  Matrix columns = form.columns(form.inverse->rows);
  blas::solve_right_transposed_in_place(form.lower, columns);
  return form.inverse->hat - columns.rowwise().squaredNorm();
}

Vector TangentSystem::hat(const WorkingLoss& loss, const Geometry& geometry,
                          const WorkingLoss::Point& point) const {
  if (outcome_ != DampedFactor::Outcome::regular) return {};
  if (const auto* rows = std::get_if<ByRows>(&form_)) return rows->elimination.hat(loss, point);
  if (const auto* complement = std::get_if<ByComplement>(&form_)) return hat(*complement);
  if (geometry.dimension() > loss.rows()) return {};
  const Matrix& lower = std::get<ByDirections>(form_).lower;
  const Vector diagonal = lower.rowwise().squaredNorm();
  const double largest = diagonal.size() == 0 ? 0.0 : diagonal.maxCoeff();
  if ((lower.diagonal().array().square() <= tolerances::leverage_pivot * diagonal.array()).any() ||
      (diagonal.array() < std::numeric_limits<double>::epsilon() * largest).any()) {
    return {};
  }
  return loss.hat(geometry, point, lower);
}

}  // namespace alo
