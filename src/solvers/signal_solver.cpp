// SPDX-License-Identifier: MIT
#include "solvers/signal_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "signals/chain.hpp"
#include "solvers/separable_solver.hpp"

namespace alo {

namespace {

// Multipliers of differences that are zero stay below lambda: reaching it is the mark of the others.
constexpr double inside = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();

bool is_identity(const Design& design) {
  if (!design.is_sparse() || design.rows() != design.columns() || design.stored_entries() != design.rows() ||
      design.center().size() > 0) {
    return false;
  }
  const bool unscaled = design.scale().size() == 0 || (design.scale().array() == 1.0).all();
  const SparseMatrix& values = design.sparse_values();
  for (Index j = 0; j < values.cols() && unscaled; ++j) {
    const SparseMatrix::InnerIterator entry(values, j);
    if (!entry || entry.row() != j || entry.value() != 1.0) return false;
  }
  return unscaled;
}

// A row without weight between two levels may have any value between them: it gets the middle.
void center_rows_without_weight(const Vector& weights, Vector& values) {
  for (Index i = 0; i < values.size(); ++i) {
    if (weights[i] > 0.0) continue;
    const ValueInterval interval = chain_interval(values, weights, i);
    if (interval.low < interval.high) values[i] = 0.5 * (interval.low + interval.high);
  }
}

// u_k = -sum_(i <= k) w_i (y_i - b_i), exactly lambda times the sign of the difference where there is one.
Vector chain_multipliers(const Vector& signal, const Vector& weights, const Vector& values, double lambda) {
  Vector multipliers = -chain_dual(signal, weights, values).head(values.size() - 1);
  for (Index k = 0; k < multipliers.size(); ++k) {
    const double difference = values[k + 1] - values[k];
    multipliers[k] = difference != 0.0 ? std::copysign(lambda, difference)
                                       : std::clamp(multipliers[k], -inside * lambda, inside * lambda);
  }
  return multipliers;
}

}  // namespace

bool SignalSolver::suits(const Problem& problem) {
  const auto* penalty = problem.penalty().as<GeneralizedLasso>();
  return penalty != nullptr && penalty->order() == 1 && problem.loss().is_quadratic() &&
         !problem.intercept() && is_identity(problem.design());
}

std::vector<Fit> SignalSolver::solve(std::span<const double> lambdas, const Monitor& monitor) const {
  std::vector<Fit> fits;
  if (monitor.stop()) return fits;
  const Vector signal = problem_.data().response - problem_.data().offset;
  const std::vector<Blocks> solutions = solve_chain(signal, weights_, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    Vector values = expand(solutions[k]);
    center_rows_without_weight(weights_, values);
    Fit fit = make_fit(problem_, lambdas[k], values, Vector::Zero(1));
    fit.multipliers = chain_multipliers(signal, weights_, values, lambdas[k]);
    fit.hat =
        (weights_.array() > 0.0).select(leverages(solutions[k], weights_).array() / weights_.array(), 0.0);
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace alo
