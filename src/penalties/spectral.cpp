// SPDX-License-Identifier: MIT
#include "penalties/spectral.hpp"

#include <cmath>

#include <Eigen/QR>

#include "alo/error.hpp"

namespace alo::spectral {

namespace {

constexpr double rounding_share = 1e-13;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Orthonormal columns, followed by those of a complement.
Matrix completed(const Matrix& basis) {
  const Index rows = basis.rows();
  const Index count = basis.cols();
  if (count == 0) return Matrix::Identity(rows, rows);
  Matrix result(rows, rows);
  result.leftCols(count) = basis;
  if (count == rows) return result;
  Matrix rest = Matrix::Zero(rows, rows - count);
  rest.bottomRows(rows - count).setIdentity();
  result.rightCols(rows - count) = Eigen::HouseholderQR<Matrix>(basis).householderQ() * rest;
  return result;
}

}  // namespace

Matrix as_matrix(const VectorView& b, MatrixShape shape) {
  return Eigen::Map<const RowMajor>(b.data(), shape.rows, shape.columns);
}

Vector as_vector(const Matrix& matrix) {
  return matrix.reshaped<Eigen::RowMajor>();
}

double norm(const Matrix& matrix) {
  const Vector values = blas::singular_values(matrix).s;
  return values.size() == 0 ? 0.0 : values[0];
}

blas::SingularValues above_rounding(Matrix matrix) {
  blas::SingularValues parts = blas::singular_values(std::move(matrix));
  Index rank = 0;
  while (rank < parts.s.size() && parts.s[rank] > rounding_share * parts.s[0]) ++rank;
  return {parts.u.leftCols(rank), parts.s.head(rank), parts.v.leftCols(rank)};
}

Matrix product(const blas::SingularValues& parts, const Vector& values) {
  return blas::multiply(parts.u * values.asDiagonal(), parts.v.transpose());
}

MatrixDirections all_directions(const blas::SingularValues& parts) {
  return {completed(parts.u), completed(parts.v), parts.u.rows()};
}

PairedCurvature::PairedCurvature(MatrixDirections directions)
    : directions_(std::move(directions)), curvature_(Vector::Zero(directions_.count())) {}

void PairedCurvature::set(Index k, Index l, double curvature) {
  curvature_[directions_.place(k, l)] = curvature;
}

// The reflection that takes e_i to (e_i + e_j) / sqrt(2) and e_j to (e_i - e_j) / sqrt(2).
void PairedCurvature::set_pair(Index k, Index l, double along_sum, double along_difference) {
  static const double half = std::sqrt(0.5);
  set(k, l, along_sum);
  set(l, k, along_difference);
  mirrors_.emplace_back(directions_.place(k, l), pairs_, std::sqrt(1.0 - half));
  mirrors_.emplace_back(directions_.place(l, k), pairs_, -std::sqrt(1.0 + half));
  ++pairs_;
}

Geometry PairedCurvature::geometry() {
  Geometry result;
  result.mirrors = SparseMatrix(directions_.count(), pairs_);
  result.mirrors.setFromTriplets(mirrors_.begin(), mirrors_.end());
  result.curvature = std::move(curvature_);
  result.matrix = std::move(directions_);
  return result;
}

void check_shape(MatrixShape shape) {
  if (shape.rows > 0 && shape.columns > 0) return;
  throw InvalidArgument(fmt::format("a matrix of {} x {} coefficients has none", shape.rows, shape.columns));
}

void check_columns(MatrixShape shape, Index columns) {
  if (shape.rows * shape.columns == columns) return;
  throw InvalidData(fmt::format("a matrix of {} x {} coefficients needs {} columns, and there are {}",
                                shape.rows, shape.columns, shape.rows * shape.columns, columns));
}

}  // namespace alo::spectral
