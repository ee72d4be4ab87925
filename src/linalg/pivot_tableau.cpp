// SPDX-License-Identifier: MIT
#include "linalg/pivot_tableau.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

Vector PivotTableau::column(Index k) const {
  Vector u(size_);
  for (const Panel& panel : panels_) {
    if (panel.begin > k) {
      u.segment(panel.begin, panel.width) = panel.values.row(k).head(panel.width);
    } else if (panel.end() > k) {
      u.head(panel.end()) = panel.values.col(k - panel.begin).head(panel.end());
    }
  }
  const auto waiting = waiting_.topLeftCorner(size_, waiting_count_);
  const Vector share = waiting.row(k).transpose().cwiseProduct(sigma_.head(waiting_count_));
  u -= blas::multiply_vector(waiting, share);
  return u;
}

Vector PivotTableau::diagonal() const {
  Vector result(size_);
  for (const Panel& panel : panels_) {
    result.segment(panel.begin, panel.width) =
        panel.values.block(panel.begin, 0, panel.width, panel.width).diagonal();
  }
  const auto waiting = waiting_.topLeftCorner(size_, waiting_count_);
  result -= waiting.cwiseAbs2() * sigma_.head(waiting_count_);
  return result;
}

Vector PivotTableau::multiply(const VectorView& x) const {
  Matrix y = Matrix::Zero(size_, 1);
  subtract_stored_times(x, y);
  y = -y;
  const auto waiting = waiting_.topLeftCorner(size_, waiting_count_);
  const Vector share = blas::transpose_multiply_vector(waiting, x).cwiseProduct(sigma_.head(waiting_count_));
  return y - blas::multiply_vector(waiting, share);
}

// y -= T x for the stored T, before the pivots that are still waiting.
void PivotTableau::subtract_stored_times(const MatrixView& x, Matrix& y) const {
  for (const Panel& panel : panels_) {
    blas::add_product(y.topRows(panel.end()), -1.0, panel.used(), x.middleRows(panel.begin, panel.width));
    blas::add_transposed_product(y.middleRows(panel.begin, panel.width), -1.0, panel.above(),
                                 x.topRows(panel.begin));
  }
}

void PivotTableau::pivot(Index k, const VectorView& u, bool enters) {
  const double sigma = enters ? 1.0 : -1.0;
  auto v = waiting_.col(waiting_count_).head(size_);
  v = u;
  v[k] -= sigma;
  v /= std::sqrt(std::abs(u[k]));
  sigma_[waiting_count_] = sigma;  // also the sign of d
  ++waiting_count_;
  const auto panel =
      std::find_if(panels_.begin(), panels_.end(), [k](const Panel& one) { return one.end() > k; });
  panel->values(k, k - panel->begin) -= 2.0 * sigma;
  if (waiting_count_ == pivots_at_once) apply_pivots();
}

void PivotTableau::apply_pivots() {
  if (waiting_count_ == 0) return;
  const Matrix negated =
      -waiting_.topLeftCorner(size_, waiting_count_) * sigma_.head(waiting_count_).asDiagonal();
  for (Panel& panel : panels_) {
    blas::add_product_transposed(panel.used(), 1.0, waiting_.topLeftCorner(panel.end(), waiting_count_),
                                 negated.middleRows(panel.begin, panel.width));
  }
  waiting_count_ = 0;
}

void PivotTableau::append(const MatrixView& columns, const MatrixView& corner) {
  const Index added = corner.cols();
  for (Index taken = 0; taken < added;) {
    if (panels_.empty() || panels_.back().width == panel_width) {
      panels_.push_back({size_, 0, Matrix(size_ + panel_width, panel_width)});
    }
    Panel& panel = panels_.back();
    const Index count = std::min(added - taken, panel_width - panel.width);
    const Index above = columns.rows();
    panel.values.block(0, panel.width, above, count) = columns.middleCols(taken, count);
    panel.values.block(above, panel.width, taken + count, count) =
        corner.block(0, taken, taken + count, count);
    // The block on the diagonal is kept whole.
    const Index inside = size_ - panel.begin;
    panel.values.block(size_, 0, count, inside) =
        panel.values.block(panel.begin, inside, inside, count).transpose();
    panel.width += count;
    size_ += count;
    taken += count;
  }
}

Matrix PivotTableau::extend(Matrix cross, const MatrixView& own, std::span<const char> is_active) {
  apply_pivots();
  // T_.E = (G_.E with its A rows zero) - T_.A G_AE,  T_EE = G_EE - G_EA T_AE.
  const Eigen::Map<const Eigen::Array<char, Eigen::Dynamic, 1>> mask(is_active.data(), size_);
  Matrix corner = own;
  if ((mask != 0).any()) {
    const Vector active = (mask != 0).cast<double>();
    const Matrix active_rows = cross.array().colwise() * active.array();
    cross -= active_rows;
    subtract_stored_times(active_rows, cross);
    blas::add_transposed_product(corner, -1.0, active_rows, cross);
  }
  append(cross, corner);
  if (waiting_.rows() < size_) {
    waiting_.resize(std::max(size_, waiting_.rows() + waiting_.rows() / 2), pivots_at_once);
    sigma_.resize(pivots_at_once);
  }
  return cross;
}

}  // namespace alo
