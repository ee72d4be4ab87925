// SPDX-License-Identifier: MIT
#include "linalg/cholesky_factor.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Jacobi>

#include "linalg/blas.hpp"

namespace alo {

void CholeskyFactor::reserve(Index capacity) {
  if (capacity <= storage_.rows()) return;
  capacity = std::max(capacity, 2 * storage_.rows());
  Matrix larger = Matrix::Zero(capacity, capacity);
  larger.topLeftCorner(size_, size_) = storage_.topLeftCorner(size_, size_);
  storage_ = std::move(larger);
}

bool CholeskyFactor::append(const VectorView& cross, double diagonal, double tolerance) {
  reserve(size_ + 1);
  const Vector row = solve_lower(cross);
  const double pivot = diagonal - row.squaredNorm();
  if (!(pivot > tolerance * diagonal)) return false;
  storage_.row(size_).head(size_) = row.transpose();
  storage_(size_, size_) = std::sqrt(pivot);
  ++size_;
  return true;
}

bool CholeskyFactor::append(const MatrixView& cross, const MatrixView& own, double tolerance) {
  const Index width = own.rows();
  const Matrix reduced = solve_lower(cross);
  Matrix corner = own;
  if (size_ > 0) blas::subtract_gram(corner, reduced);
  const Vector least = tolerance * own.diagonal();
  if (!blas::cholesky_in_place(corner)) return false;
  if ((corner.diagonal().array().square() <= least.array()).any()) return false;
  reserve(size_ + width);
  storage_.block(size_, 0, width, size_) = reduced.transpose();
  storage_.block(size_, size_, width, width) = corner.triangularView<Eigen::Lower>();
  size_ += width;
  return true;
}

void CholeskyFactor::remove(Index k) {
  // Without row k, L has one entry above the diagonal in each later row; rotations of
  // neighbouring columns take them back below it.
  for (Index i = k; i + 1 < size_; ++i) {
    storage_.row(i).head(i + 2) = storage_.row(i + 1).head(i + 2);
  }
  --size_;
  for (Index i = k; i < size_; ++i) {
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(storage_(i, i), storage_(i, i + 1));
    storage_.middleRows(i, size_ - i).applyOnTheRight(i, i + 1, rotation);
    storage_(i, i + 1) = 0.0;
    if (storage_(i, i) < 0.0) storage_.col(i).segment(i, size_ - i) *= -1.0;
  }
}

bool CholeskyFactor::factor(const MatrixView& m) {
  size_ = 0;
  reserve(m.rows());
  storage_.topLeftCorner(m.rows(), m.rows()) = m;
  if (!blas::cholesky_in_place(storage_.topLeftCorner(m.rows(), m.rows()))) return false;
  size_ = m.rows();
  return true;
}

Vector CholeskyFactor::pivots() const {
  if (size_ == 0) return {};  // nothing may have been allocated yet
  return storage_.diagonal().head(size_).cwiseAbs2();
}

Matrix CholeskyFactor::inverse() const {
  return blas::inverse_from_cholesky(storage_.topLeftCorner(size_, size_));
}

Vector CholeskyFactor::solve(const VectorView& b) const {
  return solve_lower_transposed(solve_lower(b));
}

Matrix CholeskyFactor::solve_lower(Matrix b) const {
  return blas::solve_lower(storage_.topLeftCorner(size_, size_), std::move(b));
}

Matrix CholeskyFactor::solve_rows(Matrix b) const {
  blas::solve_right_transposed_in_place(storage_.topLeftCorner(size_, size_), b);
  return b;
}

Matrix CholeskyFactor::solve_lower_transposed(Matrix b) const {
  return blas::solve_lower_transposed(storage_.topLeftCorner(size_, size_), std::move(b));
}

}  // namespace alo
