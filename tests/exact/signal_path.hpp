// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <rapidcheck.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "held_out.hpp"
#include "random_problem.hpp"

namespace alo::testing_support {

// In a property: fits of a signal are certified, and all forms of the approximation agree, that of a fit
// which has lost its H_ii among them.
inline void assert_signal_path(const Problem& problem) {
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.01 * start}).fits) {
    RC_LOG() << "lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1.0) << " kkt "
             << fit.certificate.kkt << '\n';
    RC_ASSERT(fit.status == FitStatus::converged);
    RC_ASSERT(fit.certificate.kkt < 1e-9);
    const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
    const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
    const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
    RC_ASSERT(max_difference(carried.leverage, primal.leverage) < 1e-8);
    RC_ASSERT(max_difference(carried.leverage, dual.leverage) < 1e-8);
    RC_ASSERT(carried.flags == dual.flags);
    Fit bare = fit;  // as kept along a path: the pattern is in the multipliers
    bare.hat.resize(0);
    const LeaveOneOut marked = approximate_leave_one_out(problem, bare);
    RC_ASSERT(marked.leverage == carried.leverage);
    RC_ASSERT(marked.flags == carried.flags);
  }
}

// In a property: a fit, the problem without one of its rows, and the prediction of exact leave-one-out with
// the ends of its interval.
struct RowLeftOut {
  Fit fit;
  Index row;
  Problem without;
  Fit refit;
  double prediction;
  double low;
  double high;

  // Without the row.
  double objective(const Vector& coefficients) const {
    return without.objective(Vector::Zero(1), coefficients, fit.lambda);
  }
};
inline RowLeftOut leave_any_row_out(const Problem& problem) {
  const Fit fit = fit_at(problem, 0.1 * lambda_start(problem));
  const Index row = *rc::gen::inRange<Index>(0, problem.rows());
  const LeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {row}).values.front();
  const double prediction = exact.linear_predictor[row];
  const bool is_interval = exact.flags[static_cast<std::size_t>(row)] == RowFlag::not_unique;
  Dataset data = problem.data();
  data.weights[row] = 0.0;
  const Problem without(std::move(data), problem.loss(), problem.penalty(), {false, false});
  RC_PRE(has_fit(without));
  const Fit refit = fit_at(without, fit.lambda);
  RC_LOG() << "row " << row << " lambda " << refit.lambda << " gap " << refit.certificate.gap.value_or(-1.0)
           << " kkt " << refit.certificate.kkt << '\n';
  RC_ASSERT(refit.status == FitStatus::converged);
  return {fit,
          row,
          without,
          refit,
          prediction,
          is_interval ? exact.low[row] : prediction,
          is_interval ? exact.high[row] : prediction};
}

}  // namespace alo::testing_support
