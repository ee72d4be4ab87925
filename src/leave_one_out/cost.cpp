// SPDX-License-Identifier: MIT
#include "leave_one_out/cost.hpp"

#include <algorithm>
#include <limits>

#include "problem/signal.hpp"
#include "solvers/generalized_lasso/lasso_coordinates.hpp"
#include "solvers/generalized_lasso/proximal_signal.hpp"
#include "solvers/generalized_lasso/signal_solver.hpp"
#include "solvers/kink_homotopy/kink_homotopy.hpp"
#include "solvers/quadratic/row_homotopy.hpp"

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

// A fit and its certificate, for each row of a signal.
constexpr double signal_row_flops = 2000.0;
double signal_flops(const Problem& problem, double fits) {
  return signal_row_flops * static_cast<double>(problem.rows()) * fits;
}

// Columns in a tableau: all of them, or with more columns than rows those that are active or near.
double tableau_width(const Sizes& sizes, double active) {
  return sizes.columns <= sizes.rows ? sizes.columns : std::min(sizes.columns, 2.0 * active + 50.0);
}

// Newton's method for a smooth loss: a step, a factor, and one look at all columns. Products with a vector
// take eight times as long as their operations in a product of matrices.
struct NewtonWork {
  double step;
  double factor;
  double look;
};

NewtonWork newton_work(const Problem& problem, const Sizes& sizes) {
  const auto outputs = static_cast<double>(problem.outputs());
  const double n = sizes.rows;
  const double s = std::min(sizes.active, n * outputs);
  return {8.0 * (4.0 * n * s + 2.0 * s * s) + 60.0 * n * outputs + 5000.0, n * s * s + s * s * s / 3.0,
          8.0 * 2.0 * sizes.entries * outputs};
}

// Each row begins at its approximate point and takes about four steps, more where leverages are large (s / n
// on average) and others join or leave on the way; small factors are made anew for each.
double newton_rows_flops(const Problem& problem, const Sizes& sizes) {
  const NewtonWork work = newton_work(problem, sizes);
  const double factors = work.factor < 1.5 * work.step ? work.factor : 0.0;
  const double copies = 16.0 * (sizes.rows * sizes.active + 3.0 * sizes.columns);
  const double leverage = sizes.active / (sizes.rows * static_cast<double>(problem.outputs()));
  const double steps = 5.0 / std::max(1.0 - leverage, 0.01);
  return work.factor + sizes.rows * (steps * (work.step + factors) + 0.6 * work.look + copies);
}

double newton_fit_flops(const Problem& problem, const Sizes& sizes) {
  const NewtonWork work = newton_work(problem, sizes);
  return 5.5 * work.step + 2.5 * work.factor + 1.3 * work.look;
}

// Rows pinned to a kink: as many as columns and rows allow, or somewhat fewer.
double pinned_rows(const Sizes& sizes) {
  return 0.6 * std::min(sizes.rows, sizes.active);
}

// A loss with kinks and a ridge. Rows walk past some ten kinks among as many rows as columns, and past more
// where rows are many.
double kink_rows_flops(const Sizes& sizes) {
  const double n = sizes.rows;
  const double v = pinned_rows(sizes);
  const auto w = static_cast<double>(
      kink_walk_coordinates(static_cast<Index>(n), static_cast<Index>(sizes.active), static_cast<Index>(v)));
  const double tableau = v * w * w + v * v * w;
  const double certificates = 0.1 * n * sizes.entries;  // of some rows
  if (w == n) return 2.0 * n * n * sizes.columns + tableau + 1000.0 * n * n + 6000.0 * n + certificates;
  const double entries = w * w * sizes.columns + 2.0 * n * w * (sizes.columns + v);
  return entries + tableau + 4000.0 * n * w + 6000.0 * n + certificates;
}

bool has_kernel(const Sizes& sizes) {
  return sizes.rows <= 6.0 * sizes.active;
}

double kinked_fit_flops(const Sizes& sizes) {
  const double n = sizes.rows;
  const double v = pinned_rows(sizes);
  return n * v * v + (has_kernel(sizes) ? 16.0 * n * n + 10.0 * sizes.entries : 100.0 * sizes.entries) +
         1000.0 * (n + sizes.columns);
}

// Certificate and held-out rows of a fit on the way from knot to knot.
double knot_fit_flops(const Sizes& sizes) {
  return 30.0 * sizes.entries + 2.0 * sizes.rows * sizes.active + 4000.0 * (sizes.rows + sizes.columns);
}

// What a path does once, for its last fit.
double common_flops(const Problem& problem, const Sizes& last) {
  const double n = last.rows;
  const double s = last.active;
  if (has_kink_walks(problem)) return has_kernel(last) ? 2.0 * n * n * last.columns : 0.0;
  if (!problem.loss().is_quadratic()) return 0.0;
  const double w = tableau_width(last, s);
  return n * w * w + s * w * w + n * s * s;
}

double fit_flops(const Problem& problem, const Sizes& sizes) {
  if (has_kink_walks(problem)) return kinked_fit_flops(sizes);
  return problem.loss().is_quadratic() ? knot_fit_flops(sizes) : newton_fit_flops(problem, sizes);
}

}  // namespace

double exact_leave_one_out_flops(const Problem& problem, Index nonzero) {
  // A matrix of coefficients has its rank to find for each row.
  if (problem.penalty().shape()) return std::numeric_limits<double>::infinity();
  if (has_kink_walks(problem)) return kink_rows_flops(sizes_of(problem, nonzero));
  const auto rows = static_cast<double>(problem.rows());
  if (SignalSolver::suits(problem)) return signal_flops(problem, rows);
  if (ProximalSignal::suits(problem, problem.data().weights)) return signal_flops(problem, 4.0 * rows);
  // Of other signals every row is a new problem.
  if (signal_penalty(problem) != nullptr) return rows * path_flops(problem, std::span(&nonzero, 1));
  const bool refits = problem.loss().has_kinks() || !problem.penalty().separable(problem.columns());
  if (refits && !LassoCoordinates::suits(problem)) return std::numeric_limits<double>::infinity();
  if (!problem.loss().is_quadratic()) return newton_rows_flops(problem, sizes_of(problem, nonzero));
  if (!has_knots(problem) && !LassoCoordinates::suits(problem))
    return std::numeric_limits<double>::infinity();
  const Sizes sizes = sizes_of(problem, nonzero);
  const auto [n, p, entries, s] = sizes;
  // Rows move by their residual over 1 - h, which is 1 - s / n on average, and meet knots on the way.
  const double reach = s / std::max(1.0 - s / n, 0.01);
  const double w = tableau_width(sizes, reach);
  const double tableau = n * w * w + 2.0 * s * w * w;
  const double directions = 2.0 * n * s * w;
  const double walks = n * w * (600.0 + 8.0 * reach) + 6000.0 * n;
  const double certificates = 0.1 * n * entries;  // of some rows
  const double other_columns = w < p ? 6.0 * n * entries : 0.0;
  return tableau + directions + walks + certificates + other_columns;
}

double path_flops(const Problem& problem, std::span<const Index> nonzero) {
  if (nonzero.empty()) return 0.0;
  if (SignalSolver::suits(problem) || ProximalSignal::suits(problem, problem.data().weights)) {
    return signal_flops(problem, static_cast<double>(nonzero.size()));
  }
  double sum = common_flops(problem, sizes_of(problem, nonzero.back()));
  for (const Index count : nonzero) sum += fit_flops(problem, sizes_of(problem, count));
  return sum;
}

// The slopes of all columns without each row, some looks at them, and the system of the active ones.
double certify_rows_flops(const Problem& problem, Index nonzero) {
  if (has_kink_walks(problem)) return kink_rows_flops(sizes_of(problem, nonzero));
  const auto [n, p, entries, s] = sizes_of(problem, nonzero);
  return n * p * (2.0 * s + 40.0) + 3.0 * n * s * s;
}

}  // namespace alo
