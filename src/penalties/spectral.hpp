// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/penalty.hpp"
#include "linalg/blas.hpp"

// What penalties on the singular values of a matrix of coefficients have in common.
namespace alo::spectral {

// Coefficients kept row by row as a matrix, and back.
Matrix as_matrix(const VectorView& b, MatrixShape shape);
Vector as_vector(const Matrix& matrix);

// The largest singular value.
double norm(const Matrix& matrix);
// Those singular values, with their vectors, that are above the rounding of the largest one.
blas::SingularValues above_rounding(Matrix matrix);
// Of the singular values.
double sum_of_values(Matrix matrix);
// U diag(s) V'
Matrix product(const blas::SingularValues& parts, const Vector& values);

// The singular vectors of a matrix with orthonormal complements, p1 x p1 and p2 x p2.
MatrixDirections all_directions(const blas::SingularValues& parts);

// Curvatures of directions in pairs (k, l), (l, k). Two mirrored directions are their sum and their
// difference.
class PairedCurvature {
 public:
  explicit PairedCurvature(MatrixDirections directions);

  void set(Index k, Index l, double curvature);
  void set_pair(Index k, Index l, double along_sum, double along_difference);
  Geometry geometry();

 private:
  MatrixDirections directions_;
  Vector curvature_;
  std::vector<Eigen::Triplet<double>> mirrors_;
  Index pairs_ = 0;
};

// Throws InvalidData where a matrix of that shape does not have as many entries as there are columns, and
// InvalidArgument where there is no such matrix.
void check_shape(MatrixShape shape);
void check_columns(MatrixShape shape, Index columns);

}  // namespace alo::spectral
