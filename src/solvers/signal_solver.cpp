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

bool is_identity(const Design& design) {
  const bool centred = design.center().size() > 0 && !design.center().isZero(0.0);
  const bool scaled = design.scale().size() > 0 && !(design.scale().array() == 1.0).all();
  if (design.rows() != design.columns() || centred || scaled) return false;
  if (!design.is_sparse()) {
    for (Index j = 0; j < design.columns(); ++j) {
      if (design.dense_values().col(j) != Vector::Unit(design.rows(), j)) return false;
    }
    return true;
  }
  const SparseMatrix& values = design.sparse_values();
  for (Index j = 0; j < values.cols(); ++j) {
    const SparseMatrix::InnerIterator entry(values, j);
    if (!entry || entry.row() != j || entry.value() != 1.0) return false;
  }
  return design.stored_entries() == design.rows();
}

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
    const Vector values = expand(solutions[k]);
    Fit fit = make_fit(problem_, lambdas[k], values, Vector::Zero(1));
    fit.multipliers = chain_multipliers(signal, weights_, values, lambdas[k]);
    fit.hat =
        (weights_.array() > 0.0).select(leverages(solutions[k], weights_).array() / weights_.array(), 0.0);
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace alo
