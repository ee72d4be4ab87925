// SPDX-License-Identifier: MIT
#include "penalties/analysis/right_inverses.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace alo {

namespace {

Matrix all_columns(const Design& design) {
  std::vector<Index> columns(static_cast<std::size_t>(design.columns()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return design.gather(columns);
}

}  // namespace

Matrix SparseRightInverse::multiply_design(const Design& design) const {
  return all_columns(design) * z_;
}

Matrix ChainSums::multiply(const MatrixView& terms) const {
  Matrix sums = Matrix::Zero(columns_, terms.cols());
  sums.bottomRows(terms.rows()) = terms;
  for (int k = 0; k < order_; ++k) {
    for (Index i = 1; i < sums.rows(); ++i) sums.row(i) += sums.row(i - 1);
  }
  return sums;
}

Matrix ChainSums::transpose_multiply(const MatrixView& slopes) const {
  Matrix sums = slopes;
  for (int k = 0; k < order_; ++k) {
    for (Index i = sums.rows() - 2; i >= 0; --i) sums.row(i) += sums.row(i + 1);
  }
  return sums.bottomRows(terms());
}

Matrix ChainSums::multiply_design(const Design& design) const {
  Matrix sums = all_columns(design);
  for (int k = 0; k < order_; ++k) {
    for (Index j = columns_ - 2; j >= 0; --j) sums.col(j) += sums.col(j + 1);
  }
  return sums.rightCols(terms());
}

}  // namespace alo
