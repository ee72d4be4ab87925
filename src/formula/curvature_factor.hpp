// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// A square root C = S S' of the curvature of a row with several outputs. S is lower triangular in the order
// in which the outputs are eliminated.
//
// The curvature of softmax, C = diag(p) - p p', has entries of every size down to the smallest probability,
// each with full relative precision. A square root by eigenvalues would lose that: the eigenvectors mix large
// and small entries, and p_k keeps a relative precision of epsilon / p_k only. But C is also the Laplacian of
// a graph with edge weights w_jk = -C_jk >= 0 between the outputs, and eliminating output k from a graph
// leaves a graph of the others,
//     d_k = sum_j w_jk,  S_kk = sqrt(d_k),  S_jk = -w_jk / sqrt(d_k),  w_ij += w_ik w_jk / d_k.
// These are sums and products of positive numbers, so every entry of S has the relative precision of C. The
// output eliminated last has no edges left and a column of zeros, because C vanishes on a common shift of all
// outputs; it is the output with the largest curvature.
//
// Any other C has its Cholesky factor, with a column of zeros wherever the pivot is rounding.
class CurvatureFactor {
 public:
  explicit CurvatureFactor(const Matrix& curvature);

  const Matrix& root() const { return root_; }
  // False where C vanishes in some direction, the common shift of a Laplacian not counted: a probability is
  // zero, or the weight of the row is.
  bool is_complete() const { return complete_; }

  // S^-1 g for a g in the range of C.
  Vector solve(const Vector& g) const;
  // S'^-1 v; for a Laplacian, whose solutions differ by common shifts, the solution that sums to zero.
  Vector solve_transposed(const Vector& v) const;

 private:
  void eliminate_graph(Matrix weights);
  void eliminate(const Matrix& curvature);
  std::span<const Index> after(std::size_t step) const { return std::span(order_).subspan(step + 1); }

  std::vector<Index> order_;
  Matrix root_;
  bool has_shift_ = false;
  bool complete_ = false;
};

}  // namespace alo
