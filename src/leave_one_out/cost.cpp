// SPDX-License-Identifier: MIT
#include "leave_one_out/cost.hpp"

#include <algorithm>
#include <limits>

#include "leave_one_out/row_homotopy.hpp"

namespace alo {

namespace {

// Factors below are measured times of dense problems with 8 to 5000 columns and 60 to 10000 rows, over that
// of one operation of a matrix product.
struct Sizes {
  double rows;
  double columns;
  double entries;  // of the design that are stored: rows times columns unless it is sparse
  double active;   // coefficients that are not zero, and the intercept
};

Sizes sizes_of(const Problem& problem, Index nonzero) {
  return {static_cast<double>(problem.rows()), static_cast<double>(problem.columns()),
          static_cast<double>(problem.design().stored_entries()), static_cast<double>(nonzero) + 1.0};
}

// Columns in a tableau: all of them, or with more columns than rows those that are active or near.
double tableau_width(const Sizes& sizes, double active) {
  return sizes.columns <= sizes.rows ? sizes.columns : std::min(sizes.columns, 2.0 * active + 50.0);
}

}  // namespace

double exact_leave_one_out_flops(const Problem& problem, Index nonzero) {
  if (!has_knots(problem)) return std::numeric_limits<double>::infinity();
  const Sizes sizes = sizes_of(problem, nonzero);
  const auto [n, p, entries, s] = sizes;
  // Rows move by their residual over 1 - h, which is 1 - s / n on average, and meet knots on the way.
  const double reach = s / std::max(1.0 - s / n, 0.01);
  const double w = tableau_width(sizes, reach);
  const double tableau = n * w * w + 2.0 * s * w * w;
  const double directions = 2.0 * n * s * w;
  const double walks = n * w * (600.0 + 2.0 * reach) + 6000.0 * n;
  const double certificates = 0.1 * n * entries;  // of some rows
  const double other_columns = w < p ? 2.5 * n * entries : 0.0;
  return tableau + directions + walks + certificates + other_columns;
}

double path_flops(const Problem& problem, std::size_t lambdas, Index nonzero) {
  const Sizes sizes = sizes_of(problem, nonzero);
  const auto [n, p, entries, s] = sizes;
  const double w = tableau_width(sizes, s);
  const double pivots = n * w * w + s * w * w + n * s * s;
  const double each = 10.0 * entries + 2.0 * n * s + 1000.0 * (n + p);  // certificate and held-out rows
  return pivots + static_cast<double>(lambdas) * each;
}

}  // namespace alo
