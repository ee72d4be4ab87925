// SPDX-License-Identifier: MIT
#include "penalties/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "completion/residual_spectrum.hpp"
#include "linalg/decompositions.hpp"

namespace alo::spectral {

namespace {

// The numerical rank: singular values up to this share of the largest are zero. A decomposition has an error
// of some sqrt(p) epsilon of the largest one. At a tenth that error passes for a rank from p = 2000 on; at
// ten times singular values of 1e-12 are lost, whose directions a fit then is not free to move in.
constexpr double rounding_share = 1e-13;
// All singular values of a matrix are computed where its smaller side is at most this; of a larger one only
// those that are asked for. Only the speed depends on it.
constexpr Index small_side = 64;
// The accuracy of a Lanczos vector. The error of its singular value is of the order of the square, 1e-14, as
// domain_rounding asks. At ten times a dual point that was scaled into the domain may be found outside it,
// and a fit has no gap; a tenth takes a few more steps.
constexpr double lanczos_accuracy = 1e-7;
// A sketch spans the range of a matrix when what it leaves is at most this share of the Frobenius norm, the
// rounding of the products. At ten times singular values of 1e-13 could be missed, which the rank counts; at
// a tenth rounding makes every sketch fail, and the full decomposition takes its place.
constexpr double sketch_tolerance = 1e-14;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// An orthonormal basis of the whole space that begins with the given orthonormal columns.
Matrix completed(const Matrix& basis) {
  const Index rows = basis.rows();
  const Index count = basis.cols();
  if (count == 0) return Matrix::Identity(rows, rows);
  Matrix result(rows, rows);
  result.leftCols(count) = basis;
  if (count == rows) return result;
  result.rightCols(rows - count) = dense::orthogonal_columns(basis, count, rows - count);
  return result;
}

// The largest singular value by Lanczos bidiagonalisation (Golub and Kahan 1965) with the nonzero entries, of
// which the gradient of a matrix completion has few.
double large_norm(const Matrix& matrix) {
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::vector<double> values;
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) == 0.0) continue;
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(matrix(i, j));
    }
  }
  if (values.empty()) return 0.0;
  const EntryList entries(matrix.rows(), matrix.cols(), rows, columns);
  const Vector numbers =
      entries.sorted(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
  const Matrix none_left(matrix.rows(), 0);
  const Matrix none_right(matrix.cols(), 0);
  const ResidualMatrix operation(entries, numbers, none_left, none_right);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const Vector start = Vector::NullaryExpr(matrix.cols(), [&] { return normal(engine); });
  return leading_values(operation, start, {.threshold = 0.0, .accuracy = lanczos_accuracy}).values[0];
}

// The singular values of a matrix of low rank, from its products with `count` random vectors (Halko,
// Martinsson and Tropp 2011); none if the products do not span its range.
std::optional<blas::SingularValues> within_sketch(const Matrix& matrix, Index count) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const Matrix random = Matrix::NullaryExpr(matrix.cols(), count, [&] { return normal(engine); });
  const Matrix basis = blas::orthonormal_basis(blas::multiply(matrix, random), sketch_tolerance);
  const Matrix inside = blas::transpose_multiply(basis, matrix);
  const double size = matrix.norm();
  if (!((matrix - blas::multiply(basis, inside)).norm() <= sketch_tolerance * size)) return std::nullopt;
  blas::SingularValues parts = blas::singular_values(inside);
  parts.u = blas::multiply(basis, parts.u);
  return parts;
}

blas::SingularValues leading(blas::SingularValues parts) {
  Index rank = 0;
  while (rank < parts.s.size() && parts.s[rank] > rounding_share * parts.s[0]) ++rank;
  return {parts.u.leftCols(rank), parts.s.head(rank), parts.v.leftCols(rank)};
}

}  // namespace

Matrix as_matrix(const VectorView& b, MatrixShape shape) {
  return Eigen::Map<const RowMajor>(b.data(), shape.rows, shape.columns);
}

Vector as_vector(const Matrix& matrix) {
  return matrix.reshaped<Eigen::RowMajor>();
}

double norm(const Matrix& matrix) {
  if (matrix.size() == 0) return 0.0;
  if (std::min(matrix.rows(), matrix.cols()) > small_side) return large_norm(matrix);
  return blas::singular_values_only(matrix)[0];
}

blas::SingularValues above_rounding(Matrix matrix) {
  const Index side = std::min(matrix.rows(), matrix.cols());
  for (Index count = small_side / 4; 3 * count < side; count *= 2) {
    if (auto parts = within_sketch(matrix, count)) return leading(std::move(*parts));
  }
  return leading(blas::singular_values(std::move(matrix)));
}

double sum_of_values(Matrix matrix) {
  const bool small = std::min(matrix.rows(), matrix.cols()) <= small_side;
  return small ? blas::singular_values_only(std::move(matrix)).sum()
               : above_rounding(std::move(matrix)).s.sum();
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
