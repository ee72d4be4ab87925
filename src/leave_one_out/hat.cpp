// SPDX-License-Identifier: MIT
#include "leave_one_out/hat.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Below this share of its diagonal entry a pivot has lost too many digits, or the columns
// depend on each other: the orthogonal form is used instead.
constexpr double pivot_tolerance = 1e-6;
constexpr double rank_tolerance = 1e-11;

bool has_small_pivot(const Matrix& lower, const Matrix& matrix) {
  return (lower.diagonal().array().square() <= pivot_tolerance * matrix.diagonal().array()).any();
}

Matrix spectral_power(const Matrix& block, double power) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(block);
  const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
  const Vector values = eigen.eigenvalues().unaryExpr(
      [&](double value) { return value > 1e-15 * largest ? std::pow(value, power) : 0.0; });
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

Matrix block(const Matrix& blocks, Index i) {
  const auto outputs = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(blocks.cols()))));
  return blocks.row(i).reshaped(outputs, outputs);
}

Matrix square_root(const Matrix& block) {
  return spectral_power(block, 0.5);
}
Matrix inverse_square_root(const Matrix& block) {
  return spectral_power(block, -0.5);
}

Matrix root_times_design(const LocalModel& model) {
  if (model.outputs() == 1) return model.curvature.col(0).cwiseSqrt().asDiagonal() * model.tangent_design;
  const Index outputs = model.outputs();
  Matrix result(model.tangent_design.rows(), model.dimension());
  for (Index i = 0; i < model.rows(); ++i) {
    result.middleRows(i * outputs, outputs) =
        square_root(block(model.curvature, i)) * model.tangent_design.middleRows(i * outputs, outputs);
  }
  return result;
}

std::optional<HatBlocks> hat_by_coefficients(const LocalModel& model) {
  const Index outputs = model.outputs();
  HatBlocks hat{Matrix::Zero(model.rows(), outputs * outputs), std::nullopt};
  if (model.dimension() == 0) return hat;
  Matrix system = blas::gram(root_times_design(model));
  system.diagonal() += model.penalty_curvature;
  const auto lower = blas::cholesky(system);
  if (!lower || has_small_pivot(*lower, system)) return std::nullopt;
  const Matrix solved = blas::solve_lower(*lower, model.tangent_design.transpose());  // L^-1 A'
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
  std::vector<Index> free, penalized;
  for (Index k = 0; k < model.dimension(); ++k) {
    (model.penalty_curvature[k] > 0.0 ? penalized : free).push_back(k);
  }
  PenalizedRows rows;
  rows.free_basis = blas::orthonormal_basis(weighted(Eigen::all, free), rank_tolerance);
  rows.scaled = weighted(Eigen::all, penalized);
  rows.scaled.array().rowwise() /= model.penalty_curvature(penalized).transpose().array().sqrt();
  rows.scaled -= blas::multiply(rows.free_basis, blas::transpose_multiply(rows.free_basis, rows.scaled));
  return rows;
}

HatBlocks hat_by_rows(const LocalModel& model) {
  const PenalizedRows rows = penalized_rows(model);
  Matrix kernel = blas::gram(rows.scaled.transpose());
  kernel.diagonal().array() += 1.0;
  const Matrix off_free = Matrix::Identity(model.rows(), model.rows()) -
                          blas::multiply(rows.free_basis, rows.free_basis.transpose());
  const Matrix solved = blas::solve_lower(blas::cholesky(std::move(kernel)).value(), off_free);

  HatBlocks hat{Matrix(model.rows(), 1), Vector(solved.colwise().squaredNorm().transpose())};
  for (Index i = 0; i < model.rows(); ++i) {
    const double curvature = model.curvature(i, 0);
    hat.blocks(i, 0) = curvature > 0.0 ? (1.0 - (*hat.complement)[i]) / curvature : 0.0;
  }
  return hat;
}

}  // namespace alo
