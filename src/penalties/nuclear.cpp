// SPDX-License-Identifier: MIT
#include "alo/penalties/nuclear.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "penalties/null_space.hpp"
#include "penalties/spectral.hpp"

namespace alo {

namespace {

using tolerances::domain_rounding;
// With multipliers, a singular value of B counts when it exceeds this share of |B|_F. It is measured as the
// excess of a singular value of B + a Z over a lambda = |B|_F, so that its error is some epsilon times
// |B|_F, a few 1e-15; the multipliers of a certified fit add the error of their largest singular value, up to
// 1e-11 or so. At a tenth that error could pass for a rank; at ten times a path that has just gained a
// singular value of 1e-9 is held to lack it, with H_ii off by the leverage of its directions.
constexpr double rank_share = 1e-10;

// The singular vectors of B and of W in the subgradient Z = lambda (U V' + U0 W V0') come from one
// decomposition, that of B + a Z with a lambda = |B|_F: its singular values are those of B plus a lambda,
// followed by those of a lambda W.
struct Pattern {
  blas::SingularValues parts;  // of B + a Z
  Vector values;               // singular values of B
  Vector inner;                // singular values of W
};

Pattern pattern_of(const Matrix& b, const Matrix& multipliers, double lambda) {
  Pattern pattern;
  const double size = b.norm();
  if (size == 0.0) return pattern;
  pattern.parts = blas::singular_values(b + size / lambda * multipliers);
  const Vector& all = pattern.parts.s;
  Index rank = 0;
  while (rank < all.size() && all[rank] - size > rank_share * size) ++rank;
  pattern.values = all.head(rank).array() - size;
  pattern.inner = (all.tail(all.size() - rank) / size).cwiseMin(1.0);
  return pattern;
}

Pattern pattern_without_multipliers(const Matrix& b) {
  Pattern pattern;
  pattern.parts = spectral::above_rounding(b);
  pattern.values = pattern.parts.s;
  pattern.inner = Vector::Zero(std::min(b.rows(), b.cols()) - pattern.values.size());
  return pattern;
}

}  // namespace

NuclearNorm::NuclearNorm(MatrixShape shape) : shape_(shape) {
  spectral::check_shape(shape);
}

std::string NuclearNorm::describe() const {
  return fmt::format("lambda * nuclear norm of the {} x {} coefficients", shape_.rows, shape_.columns);
}

double NuclearNorm::value(const VectorView& b, double lambda) const {
  return lambda * spectral::sum_of_values(spectral::as_matrix(b, shape_));
}

Proximal NuclearNorm::prox(const VectorView& b, double lambda) const {
  const blas::SingularValues parts = blas::singular_values(spectral::as_matrix(b, shape_));
  const Vector kept =
      (parts.s.array() > (1.0 + domain_rounding) * lambda).select(parts.s.array() - lambda, 0.0);
  Proximal result;
  result.point = spectral::as_vector(spectral::product(parts, kept));
  result.multipliers = b - result.point;
  return result;
}

Geometry NuclearNorm::geometry(const VectorView& b, const VectorView& multipliers, double lambda) const {
  const Matrix matrix = spectral::as_matrix(b, shape_);
  const Pattern pattern = multipliers.size() == 0 || lambda == 0.0
                              ? pattern_without_multipliers(matrix)
                              : pattern_of(matrix, spectral::as_matrix(multipliers, shape_), lambda);
  const Index rank = pattern.values.size();
  if (rank == 0) return {};
  MatrixDirections directions = spectral::all_directions(pattern.parts);
  directions.rank = rank;
  const Index both = std::min(shape_.rows, shape_.columns);
  spectral::PairedCurvature curvature(std::move(directions));
  for (Index k = 0; k < rank; ++k) {
    const double own = lambda / pattern.values[k];
    for (Index l = k + 1; l < rank; ++l) {
      curvature.set_pair(k, l, 0.0, 2.0 * lambda / (pattern.values[k] + pattern.values[l]));
    }
    for (Index l = rank; l < both; ++l) {
      const double inner = pattern.inner[l - rank];
      curvature.set_pair(k, l, (1.0 - inner) * own, (1.0 + inner) * own);
    }
    for (Index l = both; l < shape_.columns; ++l) curvature.set(k, l, own);
    for (Index l = both; l < shape_.rows; ++l) curvature.set(l, k, own);
  }
  return curvature.geometry();
}

Vector NuclearNorm::subgradient(const VectorView& b, double lambda) const {
  const blas::SingularValues parts = spectral::above_rounding(spectral::as_matrix(b, shape_));
  return spectral::as_vector(spectral::product(parts, Vector::Constant(parts.s.size(), lambda)));
}

// P(B) - <Z, B> = sum_k s_k (lambda - u_k'Z v_k), whose terms are nonnegative for |Z|_2 <= lambda.
double NuclearNorm::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  const Matrix z = spectral::as_matrix(dual.slopes, shape_);
  if (spectral::norm(z) > (1.0 + domain_rounding) * lambda) return infinity;
  const blas::SingularValues parts = spectral::above_rounding(spectral::as_matrix(b, shape_));
  const Matrix along = blas::multiply(z, parts.v).cwiseProduct(parts.u);
  const Vector room = (lambda - along.colwise().sum().array()).max(0.0).transpose();
  return parts.s.dot(room);
}

double NuclearNorm::dual_scale(const DualPoint& dual, double lambda) const {
  return tolerances::scale_into(lambda_max(dual.slopes), lambda);
}

Vector NuclearNorm::subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const {
  const Matrix z = spectral::as_matrix(dual.slopes, shape_);
  const blas::SingularValues parts = spectral::above_rounding(spectral::as_matrix(b, shape_));
  // The tangent part of Z, which is Z less its part U0 U0'Z V0 V0' between the complements, is
  // U U'Z + (Z V - U U'Z V) V'. The subgradient's is lambda U V'.
  const Matrix left = blas::transpose_multiply(parts.u, z);
  Matrix right = blas::multiply(z, parts.v);
  right -= blas::multiply(parts.u, blas::multiply(left, parts.v));
  right -= lambda * parts.u;
  Matrix distance = blas::multiply(parts.u, left) + blas::multiply(right, parts.v.transpose());
  distance = distance.cwiseAbs().eval();
  distance(0, 0) = std::max(distance(0, 0), spectral::norm(z) - lambda);
  return spectral::as_vector(distance);
}

double NuclearNorm::lambda_max(const VectorView& z) const {
  return spectral::norm(spectral::as_matrix(z, shape_));
}

SparseMatrix NuclearNorm::unpenalized(Index columns, double lambda) const {
  return free_without_lambda(columns, lambda);
}

void NuclearNorm::check_columns(Index columns) const {
  spectral::check_columns(shape_, columns);
}

}  // namespace alo
