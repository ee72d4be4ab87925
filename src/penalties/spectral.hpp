// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/penalty.hpp"
#include "linalg/blas.hpp"

// Functions shared by the penalties on the singular values of a matrix of coefficients.
namespace alo::spectral {

// Coefficients that are stored row by row as a matrix, and back.
Matrix as_matrix(const VectorView& b, MatrixShape shape);
Vector as_vector(const Matrix& matrix);

// The largest singular value.
double norm(const Matrix& matrix);
// The singular values that exceed the rounding of the largest one, with their vectors.
blas::SingularValues above_rounding(Matrix matrix);
// The nuclear norm.
double sum_of_values(Matrix matrix);
// U diag(s) V'
Matrix product(const blas::SingularValues& parts, const Vector& values);

// The singular vectors of a matrix, completed to orthonormal bases, p1 x p1 and p2 x p2.
MatrixDirections all_directions(const blas::SingularValues& parts);

// Collects the curvatures of the directions u_k v_l'. The directions (k, l) and (l, k) of a pair are replaced
// by their normalised sum and difference, along which the curvature is diagonal.
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
