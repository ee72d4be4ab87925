// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace alo {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;  // compressed columns
using VectorView = Eigen::Ref<const Vector>;
using MatrixView = Eigen::Ref<const Matrix>;
// Matrices in memory that something else owns: by columns, each of which is contiguous, and compressed
// columns.
using DenseMap = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
using SparseMap = Eigen::Map<const SparseMatrix>;

// Vectors that belong to K outputs (the classes of a multinomial model) are stored output after output: all
// p coefficients of the first, then those of the second; likewise the n linear predictors. by_output views
// such a vector as a matrix with one column per output.
inline Eigen::Map<const Matrix> by_output(const Vector& values, Index outputs) {
  return {values.data(), values.size() / outputs, outputs};
}
inline Eigen::Map<Matrix> by_output(Vector& values, Index outputs) {
  return {values.data(), values.size() / outputs, outputs};
}

}  // namespace alo
