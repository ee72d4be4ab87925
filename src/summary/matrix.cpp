// SPDX-License-Identifier: MIT
#include "summary/matrix.hpp"

#include <algorithm>
#include <random>

#include "linalg/blas.hpp"
#include "penalties/spectral.hpp"

namespace alo::report {

namespace {

// A matrix whose smaller side is at most large_side is decomposed directly, in a few milliseconds. For a
// larger one the range finder starts with first_sample columns, more than the rank of most fits, and
// doubles them.
constexpr Index large_side = 100;
constexpr Index first_sample = 32;
// Directions of the sample below this share of its largest one are rounding error: it is far above 1e-16
// and far below the singular values that a report shows. At ten times the value nothing changes; at 1e-8
// small singular values would be lost.
constexpr double range_tolerance = 1e-12;

// Random combinations of the columns, with a fixed seed.
Matrix sampled_range(const Matrix& matrix, Index count) {
  std::mt19937_64 source(1);
  Matrix weights(matrix.cols(), count);
  for (double& weight : weights.reshaped()) weight = static_cast<double>(source() >> 11U) * 0x1p-52 - 1.0;
  return blas::multiply(matrix, weights);
}

// The randomised range finder of Halko, Martinsson and Tropp (2011): a basis Q of random combinations of
// the columns spans the range of a matrix of low rank, and Q'A has its singular values.
Matrix compressed(Matrix matrix) {
  const Index side = std::min(matrix.rows(), matrix.cols());
  if (side <= large_side) return matrix;
  for (Index count = first_sample; 2 * count <= side; count *= 2) {
    const Matrix basis = blas::orthonormal_basis(sampled_range(matrix, count), range_tolerance);
    if (basis.cols() < count) return blas::multiply(basis.transpose(), matrix);
  }
  return matrix;
}

}  // namespace

std::optional<MatrixShape> matrix_shape(const Problem& problem) {
  if (problem.outputs() > 1) return std::nullopt;
  if (const auto shape = problem.penalty().shape()) return shape;
  const auto& source = problem.data().matrix;
  if (!source) return std::nullopt;
  return MatrixShape{static_cast<Index>(source->row_names.size()),
                     static_cast<Index>(source->column_names.size())};
}

Matrix coefficient_matrix(const Problem& problem, const Fit& fit) {
  return spectral::as_matrix(fit.coefficients, *matrix_shape(problem));
}

Vector singular_values(const Problem& problem, const Fit& fit) {
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  if ((scaled.array() == 0.0).all()) return {};
  return spectral::above_rounding(compressed(spectral::as_matrix(scaled, *matrix_shape(problem)))).s;
}

}  // namespace alo::report
