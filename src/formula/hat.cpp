// SPDX-License-Identifier: MIT
#include "formula/hat.hpp"

#include <cmath>
#include <limits>

#include "formula/curvature_factor.hpp"
#include "linalg/blas.hpp"
#include "linalg/cholesky_factor.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A vector is in a subspace when its distance from it is at most this share of its length. Rounding leaves
// about epsilon times the condition number of the basis, and 1e-8 = sqrt(epsilon) allows condition numbers up
// to 1e8. At a tenth a row that others determine may be called undetermined where they are badly
// conditioned; at ten times a row that alone determines a direction to 1e-7 of its length gets a finite H_ii.
constexpr double span_tolerance = 1e-8;

// The Cholesky factor of I + B B'. Where B B' is so large that the identity is lost beside it, the matrix may
// be indefinite by rounding; then n epsilon times its largest diagonal entry, the size of that rounding, is
// added to the diagonal.
Matrix factor_up_to_rounding(Matrix kernel) {
  const Vector diagonal = kernel.diagonal();
  if (!blas::cholesky_in_place(kernel)) {
    const auto size = static_cast<double>(kernel.rows());
    kernel.triangularView<Eigen::StrictlyLower>() = kernel.transpose();
    kernel.diagonal() =
        diagonal.array() + size * std::numeric_limits<double>::epsilon() * diagonal.maxCoeff();
    return blas::cholesky(std::move(kernel)).value();
  }
  kernel.triangularView<Eigen::StrictlyUpper>().setZero();
  return kernel;
}

}  // namespace

bool has_small_pivot(const Matrix& lower, const VectorView& diagonal) {
  if (diagonal.size() == 0) return false;
  const auto pivots = lower.diagonal().array().square();
  return (pivots <= tolerances::leverage_pivot * diagonal.array()).any() ||
         (pivots <= std::numeric_limits<double>::epsilon() * diagonal.maxCoeff()).any();
}

Matrix block(const Matrix& blocks, Index i) {
  const auto outputs = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(blocks.cols()))));
  return blocks.row(i).reshaped(outputs, outputs);
}

Matrix root_times_design(const LocalModel& model) {
  if (model.outputs() == 1) return model.curvature.col(0).cwiseSqrt().asDiagonal() * model.tangent_design;
  const Index outputs = model.outputs();
  Matrix result(model.tangent_design.rows(), model.dimension());
  for (Index i = 0; i < model.rows(); ++i) {
    result.middleRows(i * outputs, outputs) = CurvatureFactor(block(model.curvature, i)).root().transpose() *
                                              model.tangent_design.middleRows(i * outputs, outputs);
  }
  return result;
}

namespace {

// The columns of a singular Gram matrix that do not depend on the ones before them.
std::vector<Index> independent_columns(const Matrix& system) {
  CholeskyFactor factor;
  std::vector<Index> kept;
  for (Index j = 0; j < system.cols(); ++j) {
    const Vector cross = system(kept, j);
    if (factor.append(cross, system(j, j), tolerances::dependent_pivot)) kept.push_back(j);
  }
  return kept;
}

}  // namespace

std::optional<HatBlocks> hat_by_coefficients(const LocalModel& model) {
  const Index outputs = model.outputs();
  HatBlocks hat{Matrix::Zero(model.rows(), outputs * outputs), std::nullopt};
  if (model.dimension() == 0) return hat;
  Matrix system = blas::gram(root_times_design(model));
  system.diagonal() += model.penalty_curvature;
  auto lower = blas::cholesky(system);
  Matrix directions = model.tangent_design.transpose();
  // Softmax is invariant under a common shift of all outputs, so A'CA + Q is singular along a direction that
  // is unpenalised in every output. Without one of its columns the span, and so H, is the same.
  if (outputs > 1 && (!lower || has_small_pivot(*lower, system.diagonal()))) {
    const std::vector<Index> kept = independent_columns(system);
    system = system(kept, kept).eval();
    directions = directions(kept, Eigen::all).eval();
    lower = blas::cholesky(system);
  }
  if (!lower || has_small_pivot(*lower, system.diagonal())) return std::nullopt;
  const Matrix solved = blas::solve_lower(*lower, std::move(directions));  // L^-1 A'
  if (outputs == 1) {
    hat.blocks.col(0) = solved.colwise().squaredNorm().transpose();
    return hat;
  }
  for (Index i = 0; i < model.rows(); ++i) {
    const auto columns = solved.middleCols(i * outputs, outputs);
    hat.blocks.row(i) = (columns.transpose() * columns).eval().reshaped().transpose();
  }
  return hat;
}

PenalizedRows penalized_rows(const LocalModel& model) {
  const Matrix weighted = root_times_design(model);
  PenalizedRows rows;
  for (Index k = 0; k < model.dimension(); ++k) {
    (model.penalty_curvature[k] > 0.0 ? rows.penalized : rows.free).push_back(k);
  }
  const Matrix free = weighted(Eigen::all, rows.free);
  rows.free_basis = blas::orthonormal_basis(free, tolerances::tangent_rank);
  rows.free_factor = blas::transpose_multiply(rows.free_basis, free);
  rows.scaled = weighted(Eigen::all, rows.penalized);
  rows.scaled.array().rowwise() /= model.penalty_curvature(rows.penalized).transpose().array().sqrt();
  rows.projection = blas::transpose_multiply(rows.free_basis, rows.scaled);
  rows.scaled -= blas::multiply(rows.free_basis, rows.projection);
  return rows;
}

namespace {

// H_ii of a row without curvature, from its row a = (f, z) of the tangent design: f on the unpenalised
// columns, z on the penalised ones. With U R the unpenalised columns of C^1/2 A, t = R'^-1 f and
// v = Q^-1/2 z - (C^1/2 A Q^-1/2)'U t,
//   H_ii = |t|^2 + v'(I + B'B)^-1 v = |t|^2 + |u|^2 + |s|^2,  s = (I + B B')^-1 B v,  u = v - B's,
// a sum of squares without cancellation. The result is NaN where f is not in the range of R': then no other
// row determines the direction.
double flat_hat(const LocalModel& model, Index i, const PenalizedRows& rows, const Matrix& lower) {
  const Vector row = model.tangent_design.row(i);
  const Vector f = row(rows.free);
  Vector t = Vector::Zero(rows.free_basis.cols());
  if (t.size() > 0) t = dense::least_squares(rows.free_factor.transpose(), f);
  if ((f - rows.free_factor.transpose() * t).norm() > span_tolerance * f.norm()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  Vector v = row(rows.penalized).cwiseQuotient(model.penalty_curvature(rows.penalized).cwiseSqrt());
  v -= rows.projection.transpose() * t;
  const Vector s =
      blas::solve_lower_transposed(lower, blas::solve_lower(lower, blas::multiply_vector(rows.scaled, v)));
  const Vector u = v - blas::transpose_multiply_vector(rows.scaled, s);
  return t.squaredNorm() + u.squaredNorm() + s.squaredNorm();
}

}  // namespace

HatBlocks hat_by_rows(const LocalModel& model) {
  const PenalizedRows rows = penalized_rows(model);
  Matrix kernel = blas::gram(rows.scaled.transpose());
  kernel.diagonal().array() += 1.0;
  const Matrix off_free = Matrix::Identity(model.rows(), model.rows()) -
                          blas::multiply(rows.free_basis, rows.free_basis.transpose());
  const Matrix lower = factor_up_to_rounding(std::move(kernel));
  const Matrix solved = blas::solve_lower(lower, off_free);

  HatBlocks hat{Matrix(model.rows(), 1), Vector(solved.colwise().squaredNorm().transpose())};
  for (Index i = 0; i < model.rows(); ++i) {
    const double curvature = model.curvature(i, 0);
    if (curvature > 0.0) {
      hat.blocks(i, 0) = (1.0 - (*hat.complement)[i]) / curvature;
    } else {
      (*hat.complement)[i] = 1.0;
      hat.blocks(i, 0) = model.derivative(i, 0) == 0.0 ? 0.0 : flat_hat(model, i, rows, lower);
    }
  }
  return hat;
}

}  // namespace alo
