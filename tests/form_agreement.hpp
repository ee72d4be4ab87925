// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>

#include "alo/leave_one_out.hpp"

namespace alo::testing_support {

// One output: the first row, if any, whose primal, dual and carried forms of the approximation differ.
inline std::optional<Index> row_where_forms_differ(const Problem& problem, const Fit& fit) {
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    // Beyond, what one form has lost of 1 - h shows.
    if (!(primal.leverage[i] < 0.99)) continue;
    const double size = 1e-8 * (1.0 + std::abs(primal.linear_predictor[i]));
    const bool by_dual = std::abs(primal.linear_predictor[i] - dual.linear_predictor[i]) < size;
    const bool by_hat = std::abs(primal.linear_predictor[i] - carried.linear_predictor[i]) < size;
    if (!by_dual || !by_hat) return i;
  }
  return std::nullopt;
}

}  // namespace alo::testing_support
