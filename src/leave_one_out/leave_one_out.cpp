// SPDX-License-Identifier: MIT
// The ways to hold rows out: by the formula, and by the functions of the method that owns the problem.
#include "alo/leave_one_out.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formula/hat.hpp"
#include "solvers/method.hpp"

namespace alo {

bool has_approximation(const Problem& problem) {
  if (!problem.loss().has_kinks()) return true;
  const auto terms = problem.penalty().separable(problem.columns());
  if (!terms) return false;  // loss and penalty are both piecewise linear
  const auto squared = (terms->square + terms->fixed_square).array() > 0.0;
  return (squared || terms->absolute.array() == 0.0).all();
}

LeaveOneOut approximate_leave_one_out(const Problem& problem, const Fit& fit, Framework framework) {
  if (!has_approximation(problem)) {
    throw InvalidArgument(
        fmt::format("the {} loss with a {} penalty is a linear program, which has no approximate "
                    "leave-one-out; use exact "
                    "leave-one-out or folds, a smooth loss (huber), or an elastic net with some ridge",
                    problem.loss().name(), problem.penalty().name()));
  }
  LeaveOneOut result = [&] {
    if (framework == Framework::automatic) {
      const Vector found = fit.hat.size() == 0 ? route(problem).hat(problem, fit) : Vector();
      const Vector& hat = fit.hat.size() == 0 ? found : fit.hat;
      // Rows that no factor a_i describes need more of the model (LooseIntercept).
      const bool is_whole = !problem.loss().has_kinks() || !hat.hasNaN();
      if (hat.size() > 0 && is_whole) return hold_out_by_hat(problem, fit, hat);
    }
    const LocalModel model = local_model(problem, fit);
    if (framework == Framework::dual) return hold_out_dual(model);
    return framework == Framework::primal ? hold_out_primal(model) : hold_out_cheapest(model);
  }();
  take_level(problem, fit, result);
  return result;
}

Index ExactLeaveOneOut::missed() const {
  Index sum = 0;
  for (const LeaveOneOut& held_out : values) sum += held_out.missed;
  return sum;
}

ExactLeaveOneOut exact_leave_one_out(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options,
                                     const Monitor& monitor) {
  return route(problem).exact(problem, fits, rows, options, monitor);
}

std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) {
  return route(problem).certify_rows(problem, fit);
}

}  // namespace alo
