// SPDX-License-Identifier: MIT
#include "solvers/method.hpp"

#include "solvers/flops.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/row_certificate.hpp"

namespace alo {

namespace {

// Fits are asked for fifty at a time where that is cheap, else ten at a time: products with a design of fewer
// entries than the first take milliseconds for fifty vectors, and fifty fits with fewer coefficients than the
// second take at most 8 MB. Only speed, memory and the delay of a stop depend on these.
constexpr Index small_design = 2'000'000;
constexpr Index few_coefficients = 20'000;

}  // namespace

std::size_t Method::fits_at_once(const Problem& problem) const {
  const bool small = problem.design().stored_entries() < small_design &&
                     problem.columns() * problem.outputs() < few_coefficients;
  return small ? 50 : 10;
}

ExactLeaveOneOut Method::exact(const Problem& problem, std::span<const Fit> fits,
                               const std::vector<Index>& rows, const ExactOptions& options,
                               const Monitor& monitor) const {
  HeldOutRows held_out(problem, fits, rows, options, monitor);
  held_out.refit_all();
  return held_out.take();
}

std::vector<std::optional<bool>> Method::certify_rows(const Problem& problem, const Fit& fit) const {
  return certify_rows_by_model(problem, fit);
}

double Method::exact_flops(const Problem& problem, const FitSize& fit, Index rows) const {
  return static_cast<double>(rows) * path_flops(problem, std::span(&fit.nonzero, 1));
}

// The count has the slopes of all columns without each row, their comparison with lambda, and the system of
// the active columns.
double Method::certify_rows_flops(const Problem& problem, Index nonzero) const {
  if (!problem.loss().is_quadratic()) return call_flops;  // rows of a curved loss are not certified
  const auto [n, p, entries, s] = sizes_of(problem, nonzero);
  return 20.0 * call_flops + 4.0 * (n * p * (2.0 * s + 40.0) + 3.0 * n * s * s);
}

}  // namespace alo
