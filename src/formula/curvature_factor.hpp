// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The curvature of a row with several outputs as C = S S', S lower triangular in the order in which outputs
// are eliminated.
//
// Softmax's C = diag(p) - p p' has entries of every size, down to the smallest probability, and each has all
// its digits, but the eigenvectors of C mix them: a square root by eigenvalues knows p_k to epsilon / p_k. It
// is also the Laplacian of a graph, off-diagonal entries not positive and every row of sum zero, with weights
// w_jk = -C_jk between the outputs. Eliminating output k of a graph leaves a graph of the others,
//     d_k = sum_j w_jk,  S_kk = sqrt(d_k),  S_jk = -w_jk / sqrt(d_k),  w_ij += w_ik w_jk / d_k:
// sums and products of positive numbers, so that every entry of S has the digits of C. The last output is
// left without weights: its column is zero, for a common shift changes nothing. It is the one of most
// curvature, whose logit the others are measured from.
//
// Other blocks have Cholesky's factor, with columns of zeros where the pivot is rounding.
class CurvatureFactor {
 public:
  explicit CurvatureFactor(const Matrix& curvature);

  const Matrix& root() const { return root_; }
  // False where a direction, other than a common shift where C knows none, has no curvature: a probability
  // that is zero, a row of weight zero.
  bool is_complete() const { return complete_; }

  // S^-1 g for a g in the range of C.
  Vector solve(const Vector& g) const;
  // S'^-1 v; of the common shifts of it the one with sum zero.
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
