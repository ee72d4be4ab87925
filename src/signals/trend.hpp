// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Trend filtering with second differences, each row weighted:
//
//   min_b  sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_i |b_(i-1) - 2 b_i + b_(i+1)|,   w_i >= 0.
//
// With v_i = the sum over all j <= k < i of w_j (y_j - b_j), b is optimal if and only if
//
//   |v_i| <= lambda at the inner rows,   v_i = lambda sign(b_(i-1) - 2 b_i + b_(i+1)) where b bends,
//   v = 0 from the last row on.
//
// A row without weight is left out: its signal is not read, b does not bend there, and beyond the first and
// the last row with weight b goes on straight.

// A vector that is linear between its nodes: its first and its last row with weight, and between them where
// it bends.
struct PiecewiseLinear {
  Index rows = 0;
  std::vector<Index> node;  // rising; a single one means a constant, none zero
  Vector value;             // at the nodes
  bool settled = true;      // false where the search for the nodes was given up: then b is not optimal
};

// One value per row.
Vector expand(const PiecewiseLinear& trend);
// The diagonal of the matrix that takes the signal to b while the nodes stay: w_i f_i' G^-1 f_i, where f are
// the hat functions on the nodes and G = sum_i w_i f_i f_i'.
Vector leverages(const PiecewiseLinear& trend, const VectorView& weights);
// The same without w_i: f_i' G^-1 f_i with any weights; empty where they leave the values at the nodes open.
Vector hat_values(const PiecewiseLinear& trend, const VectorView& weights);

// The minimisers for all lambdas >= 0 (infinity is the weighted least-squares line), in their order; each
// starts from the next larger one.
std::vector<PiecewiseLinear> solve_trend(const VectorView& signal, const VectorView& weights,
                                         std::span<const double> lambdas);

// argmin_b |b - signal|^2 / 2 + lambda sum_i |b_(i-1) - 2 b_i + b_(i+1)|.
Vector trend_prox(const VectorView& signal, double lambda);

// v above, n + 1 numbers of which the first is zero; the last two rows of the list are zero if b is optimal.
Vector trend_dual(const VectorView& signal, const VectorView& weights, const VectorView& values);

}  // namespace alo
