// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {

// The pivots of one walk on a tableau that many walks share (the formula is that of PivotTableau). They are
// kept as a list of rank-one updates beside the tableau, which stays as it is, and are discarded with the
// walk.
class OwnPivots {
 public:
  explicit OwnPivots(const Matrix& tableau) : tableau_(tableau), vectors_(tableau.rows(), 8), sigmas_(8) {}

  // T[:,k] after the pivots of this walk.
  Vector column(Index k) const {
    Vector u = tableau_.col(k);
    const auto vectors = vectors_.leftCols(count_);
    const Vector shares = vectors.row(k).transpose().cwiseProduct(sigmas_.head(count_));
    blas::add_product(u, -1.0, vectors, shares);
    for (Index m = 0; m < count_; ++m) {
      if (at_[static_cast<std::size_t>(m)] == k) u[k] -= 2.0 * sigmas_[m];
    }
    return u;
  }

  // A pivot at k; `u` is column(k).
  void add(Index k, Vector u, bool enters) {
    if (count_ == vectors_.cols()) {
      vectors_.conservativeResize(Eigen::NoChange, 2 * count_);
      sigmas_.conservativeResize(2 * count_);
    }
    const double scale = 1.0 / std::sqrt(std::abs(u[k]));
    sigmas_[count_] = enters ? 1.0 : -1.0;
    u[k] -= sigmas_[count_];
    vectors_.col(count_++) = scale * u;
    at_.push_back(k);
  }

  // Discards all pivots.
  void clear() {
    count_ = 0;
    at_.clear();
  }

 private:
  const Matrix& tableau_;
  Matrix vectors_;  // v / sqrt(|d|)
  Vector sigmas_;
  std::vector<Index> at_;
  Index count_ = 0;
};

}  // namespace alo
