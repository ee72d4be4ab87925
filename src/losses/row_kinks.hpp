// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "alo/loss.hpp"

namespace alo {

// The kinks of the weighted losses f_i(u) = w_i l(u; y_i) of some rows: f_i is linear between two kinks. A
// row has a column of each matrix, since the solvers ask row by row.
struct RowKinks {
  Matrix position;  // m x rows: the kinks, ascending along a column
  Matrix slope;     // (m + 1) x rows: f_i' on the pieces from left to right, ascending

  Index rows() const { return position.cols(); }
  Index count() const { return position.rows(); }  // m
  // The ends of a piece, infinite to the left of the first kink and to the right of the last.
  double low_end(Index row, Index piece) const {
    return piece > 0 ? position(piece - 1, row) : -std::numeric_limits<double>::infinity();
  }
  double high_end(Index row, Index piece) const {
    return piece < count() ? position(piece, row) : std::numeric_limits<double>::infinity();
  }
  // The size of linear predictors and kinks, to which the rounding of linear predictors is relative.
  double predictor_size(const VectorView& predictor) const {
    const double size = predictor.lpNorm<Eigen::Infinity>() + position.lpNorm<Eigen::Infinity>();
    return size > 0.0 ? size : 1.0;
  }
  double distance_to_kink(Index row, double u) const {
    return (position.col(row).array() - u).abs().minCoeff();
  }
};

inline RowKinks row_kinks(const Loss& loss, const VectorView& response, const VectorView& weights) {
  const Kinks kinks = loss.kinks(response);
  return {kinks.position.transpose(), (weights.asDiagonal() * kinks.slope).transpose()};
}

}  // namespace alo
