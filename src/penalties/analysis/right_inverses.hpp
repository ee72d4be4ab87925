// SPDX-License-Identifier: MIT
#pragma once

#include "alo/analysis_operator.hpp"

namespace alo {

// A right inverse that is stored by its entries.
class SparseRightInverse final : public RightInverse {
 public:
  explicit SparseRightInverse(SparseMatrix z) : z_(std::move(z)) {}

  Matrix multiply(const MatrixView& terms) const override { return z_ * terms; }
  Matrix transpose_multiply(const MatrixView& slopes) const override { return z_.transpose() * slopes; }
  Matrix multiply_design(const Design& design) const override;

 private:
  SparseMatrix z_;
};

// The right inverse of differences of order k along a chain: cumulative sums, k times over.
class ChainSums final : public RightInverse {
 public:
  ChainSums(Index columns, int order) : columns_(columns), order_(order) {}

  Matrix multiply(const MatrixView& terms) const override;
  Matrix transpose_multiply(const MatrixView& slopes) const override;
  Matrix multiply_design(const Design& design) const override;
  // From order three on, neighbouring columns of Z are almost parallel.
  bool is_ill_conditioned() const override { return order_ > 2; }

 private:
  Index terms() const { return std::max<Index>(0, columns_ - order_); }

  Index columns_;
  int order_;
};

}  // namespace alo
