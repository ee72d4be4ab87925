// SPDX-License-Identifier: MIT
#include "linalg/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace alo::dense {

struct CompleteOrthogonal::Factor {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
};

CompleteOrthogonal::CompleteOrthogonal(const MatrixView& a)
    : factor_(std::make_shared<const Factor>(Factor{Eigen::CompleteOrthogonalDecomposition<Matrix>(a)})) {}

CompleteOrthogonal::CompleteOrthogonal(const MatrixView& a, double threshold) {
  auto factor = std::make_shared<Factor>();
  factor->decomposition.setThreshold(threshold);
  factor->decomposition.compute(a);
  factor_ = std::move(factor);
}

Index CompleteOrthogonal::rank() const {
  return factor_->decomposition.rank();
}

Matrix CompleteOrthogonal::solve(const MatrixView& b) const {
  return factor_->decomposition.solve(b);
}

Matrix CompleteOrthogonal::pseudo_inverse() const {
  return factor_->decomposition.pseudoInverse();
}

Matrix CompleteOrthogonal::complement() const {
  const Matrix q = factor_->decomposition.householderQ();
  return q.rightCols(q.cols() - rank());
}

Matrix least_squares(const MatrixView& a, const MatrixView& b) {
  return CompleteOrthogonal(a).solve(b);
}

Matrix solve(const MatrixView& a, const MatrixView& b) {
  return a.partialPivLu().solve(b);
}

Matrix solve_symmetric(const MatrixView& a, const MatrixView& b) {
  return a.ldlt().solve(b);
}

Matrix solve_positive_definite(const MatrixView& a, const MatrixView& b) {
  return a.llt().solve(b);
}

Matrix orthogonal_columns(const MatrixView& a, Index first, Index count) {
  Matrix units = Matrix::Zero(a.rows(), count);
  units.middleRows(first, count).setIdentity();
  return a.householderQr().householderQ() * units;
}

Eigenpairs eigenpairs(const MatrixView& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector eigenvalues(const MatrixView& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace alo::dense
