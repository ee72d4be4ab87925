// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Trend filtering with differences of order k >= 2, each row weighted:
//
//   min_b  sum_i w_i (y_i - b_i)^2 / 2 + lambda |D b|_1,   w_i >= 0.
//
// b is optimal if and only if D'u = w (y - b) for a u with |u_m| <= lambda, and u_m = lambda sign((D b)_m)
// where (D b)_m is not zero. Then u are the k-fold cumulative sums of w (y - b), with the sign (-1)^k.

// A vector that is a polynomial of degree below k between its knots (discrete_splines.hpp).
struct PiecewisePolynomial {
  Index rows = 0;
  int order = 0;
  std::vector<Index> difference{};  // the differences of order k that are not zero, in ascending order
  Vector coefficient{};             // of the B-splines on their knots
  Vector value{};                   // of these differences
  bool converged = true;            // false if the search for the knots was given up, and b is not optimal
};

// One value per row.
Vector expand(const PiecewisePolynomial& spline);
// f_i' G^-1 f_i with the values f_i of the functions at row i and G = sum_i w_i f_i f_i', for any weights;
// empty if G is singular.
Vector hat_values(const PiecewisePolynomial& spline, const VectorView& weights);
// The u defined above. It is lambda times a sign at the knots, and between them it depends on the rows there.
Vector spline_multipliers(const PiecewisePolynomial& spline, const VectorView& signal,
                          const VectorView& weights, double lambda);
// The same, marked as Fit::multipliers are.
Vector marked_multipliers(const PiecewisePolynomial& spline, const VectorView& signal,
                          const VectorView& weights, double lambda);

// The vector nearest to the values whose differences vanish, up to rounding, except for the given ones.
Vector nearest_spline(const VectorView& values, int order, const std::vector<Index>& differences);

// The minimisers for all lambdas >= 0, in their order; each starts from the next larger one. There are more
// rows than the order.
std::vector<PiecewisePolynomial> solve_spline(const VectorView& signal, const VectorView& weights, int order,
                                              std::span<const double> lambdas);

}  // namespace alo
