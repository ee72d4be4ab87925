// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alo/types.hpp"
#include "signals/taut_string.hpp"
#include "signals/value_interval.hpp"

namespace alo {

// The fused lasso of a signal, each row weighted:
//
//   min_b  sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_i |b_(i+1) - b_i|,   w_i >= 0.
//
// With u_k = sum_(i <= k) w_i (y_i - b_i), b is optimal if and only if
//
//   |u_k| <= lambda,   u_k = -lambda sign(b_(k+1) - b_k) where b jumps,   u_n = 0.
//
// A row without weight is left out: its signal is not read. Any value between those of the nearest rows with
// weight is optimal for it; it gets that of the row before (before the first row with weight, that of the row
// after).

// A vector that is constant on blocks of neighbours.
struct Blocks {
  Index rows = 0;
  std::vector<Index> first;  // row of each block, rising; the first is 0
  Vector value;
  Vector weight;  // sum of w over the block: row i of it has the leverage w_i / weight

  Index count() const { return static_cast<Index>(first.size()); }
  Index end(Index block) const { return block + 1 < count() ? first[block + 1] : rows; }
};

// One value per row.
Vector expand(const Blocks& blocks);
// w_i over the weight of the block of i, between 0 and 1.
Vector leverages(const Blocks& blocks, const VectorView& weights);

// A chain as the string sees it: only rows with weight, and their signal measured from its mean.
struct Chain {
  Index rows = 0;
  double centre = 0.0;
  double enough = 0.0;   // a lambda above every possible |u|
  double largest = 0.0;  // of |y|
  std::vector<Index> first;
  std::vector<ChainPiece> pieces;
  std::vector<double> radius;  // between a piece and the next; empty where all are the same
};

// The minimisers of one signal. With rising lambda blocks only merge, so each lambda is solved on the blocks
// of the next smaller one. Neighbours in different blocks have different values: the blocks are the exact
// pattern, and the values follow from it, mean + lambda (s_right - s_left) / weight with s the sign of the
// jump. A signal without any weight is one block of value zero.
class ChainPath {
 public:
  ChainPath(const VectorView& signal, const VectorView& weights);

  // At all lambdas >= 0 (infinity is one block), in their order. Several lambdas at once are taken for the
  // upper part of a path: the blocks of a lambda far below them are kept for the calls that follow, which
  // then need not see every row.
  std::vector<Blocks> solve(std::span<const double> lambdas);

 private:
  bool is_kept(double lambda) const { return kept_lambda_ && lambda >= *kept_lambda_; }

  Chain all_;
  Chain kept_;  // the blocks of this lambda
  std::optional<double> kept_lambda_;
};

// The same for one call.
std::vector<Blocks> solve_chain(const VectorView& signal, const VectorView& weights,
                                std::span<const double> lambdas);

// The minimiser with an own lambda_k >= 0 for each of the n - 1 differences. Here a row without weight
// gets the value of the side from which it is not parted by the cheapest of the differences around it.
Blocks solve_chain(const VectorView& signal, const VectorView& weights, const VectorView& lambdas);

// argmin_b |b - signal|^2 / 2 + lambda sum_i |b_(i+1) - b_i|, and with an own lambda for each difference.
Vector chain_prox(const VectorView& signal, double lambda);
Vector chain_prox(const VectorView& signal, const VectorView& lambdas);

// u above, n numbers of which the last is the sum of all w_i (y_i - b_i).
Vector chain_dual(const VectorView& signal, const VectorView& weights, const VectorView& values);

// All optimal values of a row without weight, the other rows being where they are in `values`.
ValueInterval chain_interval(const VectorView& values, const VectorView& weights, Index row);

}  // namespace alo
