// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "alo/types.hpp"
#include "signals/taut_string.hpp"

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
// weight is optimal for it. It gets the value of the row before; before the first row with weight it gets the
// value of the row after.

// A vector that is constant on blocks of neighbours.
struct Blocks {
  Index rows = 0;
  std::vector<Index> first;  // the first row of each block, in ascending order from 0
  Vector value;              // of each block

  Index count() const { return static_cast<Index>(first.size()); }
  Index end(Index block) const { return block + 1 < count() ? first[block + 1] : rows; }
};

// One value per row.
Vector expand(const Blocks& blocks);

// The problem as the taut string needs it: only rows with weight, with their signal less its mean.
struct Chain {
  Index rows = 0;
  double center = 0.0;       // the mean
  double enough = 0.0;       // a lambda above every possible |u|
  double largest = 0.0;      // the largest |y|
  std::vector<Index> first;  // the first row of each piece
  std::vector<ChainPiece> pieces;
};

// The minimisers of one signal. With rising lambda blocks only merge (Friedman, Hastie, Hoefling and
// Tibshirani 2007), so each lambda is solved on the blocks of the next smaller one. Neighbouring blocks have
// different values, so that the blocks are the exact pattern. The values follow from it: mean + lambda
// (s_right - s_left) / weight, where s is the sign of a jump and mean and weight are those of the block. A
// signal without any weight is one block of value zero.
class ChainPath {
 public:
  ChainPath(const VectorView& signal, const VectorView& weights);

  // The minimisers at all lambdas >= 0 (infinity is one block), in their order. Several lambdas at once are
  // taken for the upper part of a path: the blocks of a lambda far below them are kept for later calls, which
  // then need not pass through every row.
  std::vector<Blocks> solve(std::span<const double> lambdas);

 private:
  bool is_kept(double lambda) const { return kept_lambda_ && lambda >= *kept_lambda_; }

  Chain all_;
  Chain kept_;  // whose pieces are the blocks of kept_lambda_
  std::optional<double> kept_lambda_;
};

// The same for one call.
std::vector<Blocks> solve_chain(const VectorView& signal, const VectorView& weights,
                                std::span<const double> lambdas);

// argmin_b |b - signal|^2 / 2 + lambda sum_i |b_(i+1) - b_i|.
Vector chain_prox(const VectorView& signal, double lambda);

// The u defined above: n numbers, of which the last is the sum of all w_i (y_i - b_i).
Vector chain_dual(const VectorView& signal, const VectorView& weights, const VectorView& values);

// All optimal values of a row without weight, the other rows being where they are in `values`.
std::pair<double, double> chain_interval(const VectorView& values, const VectorView& weights, Index row);

}  // namespace alo
