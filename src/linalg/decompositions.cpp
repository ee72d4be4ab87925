// SPDX-License-Identifier: MIT
#include "linalg/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace alo::dense {

// Eigen's decomposition reads the norm of a first column, so a matrix without entries has none here.
struct CompleteOrthogonal::Factor {
  Index rows = 0;
  Index columns = 0;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;

  void compute(const MatrixView& a) {
    rows = a.rows();
    columns = a.cols();
    if (a.size() > 0) decomposition.compute(a);
  }
  bool is_empty() const { return rows == 0 || columns == 0; }
};

CompleteOrthogonal::CompleteOrthogonal(const MatrixView& a) {
  auto factor = std::make_shared<Factor>();
  factor->compute(a);
  factor_ = std::move(factor);
}

CompleteOrthogonal::CompleteOrthogonal(const MatrixView& a, double threshold) {
  auto factor = std::make_shared<Factor>();
  factor->decomposition.setThreshold(threshold);
  factor->compute(a);
  factor_ = std::move(factor);
}

Index CompleteOrthogonal::rank() const {
  return factor_->is_empty() ? 0 : factor_->decomposition.rank();
}

Matrix CompleteOrthogonal::solve(const MatrixView& b) const {
  if (factor_->is_empty()) return Matrix::Zero(factor_->columns, b.cols());
  return factor_->decomposition.solve(b);
}

Matrix CompleteOrthogonal::pseudo_inverse() const {
  if (factor_->is_empty()) return Matrix::Zero(factor_->columns, factor_->rows);
  return factor_->decomposition.pseudoInverse();
}

Matrix CompleteOrthogonal::complement() const {
  if (factor_->is_empty()) return Matrix::Identity(factor_->rows, factor_->rows);
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

ThinFactors thin_factors(const MatrixView& a) {
  const Eigen::HouseholderQR<Matrix> factor(a);
  return {factor.householderQ() * Matrix::Identity(a.rows(), a.cols()),
          factor.matrixQR().topRows(a.cols()).triangularView<Eigen::Upper>()};
}

PivotedFactors pivoted_factors(const MatrixView& a, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> factor(a.rows(), a.cols());
  factor.setThreshold(threshold);
  factor.compute(a);
  const Index rank = factor.rank();
  const auto& order = factor.colsPermutation().indices();
  return {rank, factor.householderQ(),
          factor.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>(),
          std::vector<Index>(order.begin(), order.end())};
}

Eigenpairs eigenpairs(const MatrixView& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector eigenvalues(const MatrixView& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace alo::dense
