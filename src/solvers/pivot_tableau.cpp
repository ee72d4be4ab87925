// SPDX-License-Identifier: MIT
#include "solvers/pivot_tableau.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

Vector PivotTableau::column(Index k) const {
  Vector u(size_);
  u.head(k) = stored_.row(k).head(k);
  u.tail(size_ - k) = stored_.col(k).segment(k, size_ - k);
  const auto entering = entering_.topLeftCorner(size_, entering_count_);
  const auto leaving = leaving_.topLeftCorner(size_, leaving_count_);
  u -= blas::multiply_vector(entering, entering.row(k).transpose().eval());
  u += blas::multiply_vector(leaving, leaving.row(k).transpose().eval());
  return u;
}

Vector PivotTableau::multiply(const VectorView& x) const {
  Vector y = blas::symmetric_multiply_vector(stored_.topLeftCorner(size_, size_), x);
  const auto entering = entering_.topLeftCorner(size_, entering_count_);
  const auto leaving = leaving_.topLeftCorner(size_, leaving_count_);
  y -= blas::multiply_vector(entering, blas::transpose_multiply_vector(entering, x));
  y += blas::multiply_vector(leaving, blas::transpose_multiply_vector(leaving, x));
  return y;
}

void PivotTableau::pivot(Index k, const VectorView& u, bool enters) {
  const double sigma = enters ? 1.0 : -1.0;
  Matrix& list = enters ? entering_ : leaving_;
  Index& count = enters ? entering_count_ : leaving_count_;
  auto v = list.col(count).head(size_);
  v = u;
  v[k] -= sigma;
  v /= std::sqrt(std::abs(u[k]));
  stored_(k, k) -= 2.0 * sigma;
  ++count;
  if (entering_count_ + leaving_count_ == pivots_at_once) apply_pivots();
}

void PivotTableau::apply_pivots() {
  Eigen::Ref<Matrix> block = stored_.topLeftCorner(size_, size_);
  blas::add_outer_products(block, entering_.topLeftCorner(size_, entering_count_), -1.0);
  blas::add_outer_products(block, leaving_.topLeftCorner(size_, leaving_count_), 1.0);
  entering_count_ = leaving_count_ = 0;
}

Matrix PivotTableau::extend(Matrix cross, const MatrixView& own, std::span<const char> is_active) {
  apply_pivots();
  const Index added = own.rows();
  const Index after = size_ + added;
  if (after > stored_.rows()) {
    const Index capacity = stored_.rows() == 0 ? after : std::max(after, stored_.rows() + stored_.rows() / 2);
    stored_.conservativeResize(capacity, capacity);
    entering_.resize(capacity, pivots_at_once);
    leaving_.resize(capacity, pivots_at_once);
  }
  // T_.E = (G_.E with its A rows zero) - T_.A G_AE,  T_EE = G_EE - G_EA T_AE.
  Matrix active_rows = cross;
  bool any_active = false;
  for (Index i = 0; i < size_; ++i) {
    const bool active = is_active[static_cast<std::size_t>(i)] != 0;
    any_active = any_active || active;
    (active ? cross : active_rows).row(i).setZero();
  }
  Matrix corner = own;
  if (any_active) {
    cross -= blas::symmetric_multiply(stored_.topLeftCorner(size_, size_), active_rows);
    corner -= blas::transpose_multiply(active_rows, cross);
  }
  stored_.block(size_, 0, added, size_) = cross.transpose();
  stored_.block(size_, size_, added, added) = corner;
  size_ = after;
  return cross;
}

}  // namespace alo
