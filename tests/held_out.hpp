// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "random_problem.hpp"
#include "solvers/held_out_rows.hpp"

namespace alo::testing_support {

// One row per row, one column per output. A number added to every class changes no probability: it is taken
// out where there are several.
inline Matrix leveled(const Problem& problem, const Vector& predictor) {
  Matrix result = by_output(predictor, problem.outputs());
  if (problem.outputs() > 1) result.colwise() -= result.rowwise().mean().eval();
  return result;
}

// Rows that are neither flagged nor so close to leverage one that rounding rules. With several outputs the
// leverage is the largest of as many.
inline bool comparable(const LeaveOneOut& held_out, Index i, double most_leverage = 0.99) {
  return held_out.flags[static_cast<std::size_t>(i)] == RowFlag::none && held_out.leverage[i] < most_leverage;
}

// Of exact leave-one-out, for all rows or some.
inline Vector exact_predictor(const Problem& problem, const Fit& fit, const std::vector<Index>& rows) {
  return exact_leave_one_out(problem, std::span(&fit, 1), rows).values.at(0).linear_predictor;
}
inline Vector exact_predictor(const Problem& problem, const Fit& fit) {
  return exact_predictor(problem, fit, all_rows(problem));
}

// The same by refits alone, where a method knows its held-out rows without them.
inline Vector refitted_predictor(const Problem& problem, const Fit& fit) {
  const std::vector<Index> rows = all_rows(problem);
  const ExactOptions options;
  const Monitor monitor;
  HeldOutRows held_out(problem, std::span(&fit, 1), rows, options, monitor);
  held_out.refit_all();
  return held_out.take().values.at(0).linear_predictor;
}

}  // namespace alo::testing_support
