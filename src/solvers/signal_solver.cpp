// SPDX-License-Identifier: MIT
#include "solvers/signal_solver.hpp"

#include <algorithm>

#include "penalties/multiplier.hpp"
#include "signals/chain.hpp"
#include "signals/graph.hpp"
#include "signals/trend.hpp"
#include "solvers/separable_solver.hpp"

namespace alo {

namespace {

// What a solution is for its fit.
struct Signal {
  Vector values;
  Vector multipliers;
  Vector leverages;
};

// The solver's word on which terms are not zero, and their sign, over multipliers that rounding has touched.
void mark(Vector& multipliers, Index term, double direction, double lambda) {
  multipliers[term] = marked_multiplier(multipliers[term], direction, lambda);
}

Signal chain_signal(const Vector& signal, const Vector& weights, const Blocks& blocks, double lambda) {
  Signal result{expand(blocks), Vector(), leverages(blocks, weights)};
  const Vector& b = result.values;
  result.multipliers = -chain_dual(signal, weights, b).head(b.size() - 1);
  for (Index k = 0; k + 1 < b.size(); ++k) mark(result.multipliers, k, b[k + 1] - b[k], lambda);
  return result;
}

Signal trend_signal(const Vector& signal, const Vector& weights, const PiecewiseLinear& trend,
                    double lambda) {
  Signal result{expand(trend), Vector(), leverages(trend, weights)};
  const Vector& b = result.values;
  const Index terms = std::max<Index>(0, b.size() - 2);
  result.multipliers = trend_dual(signal, weights, b).segment(1, terms);
  std::size_t next = 1;  // inner nodes are where b bends
  for (Index k = 0; k < terms; ++k) {
    while (next + 1 < trend.node.size() && trend.node[next] < k + 1) ++next;
    const bool bends = next + 1 < trend.node.size() && trend.node[next] == k + 1;
    mark(result.multipliers, k, bends ? b[k] - 2.0 * b[k + 1] + b[k + 2] : 0.0, lambda);
  }
  return result;
}

Signal graph_signal(const Graph& graph, const Vector& weights, const GraphFit& fit, double lambda) {
  Signal result{expand(fit), -fit.flow, leverages(fit, weights)};
  for (Index e = 0; e < fit.flow.size(); ++e) {
    const auto [tail, head] = graph.edges()[static_cast<std::size_t>(e)];
    mark(result.multipliers, e, result.values[head] - result.values[tail], lambda);
  }
  return result;
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
  if (penalty == nullptr) return false;
  const bool along_row = penalty->order() == 1 || penalty->order() == 2;
  const bool on_graph = penalty->graph() != nullptr && penalty->sparse() == 0.0;
  return (along_row || on_graph) && problem.loss().is_quadratic() && !problem.intercept() &&
         is_identity(problem.design());
}

std::vector<Fit> SignalSolver::solve(std::span<const double> lambdas, const Monitor& monitor) const {
  std::vector<Fit> fits;
  const auto& penalty = *problem_.penalty().as<GeneralizedLasso>();
  const Vector signal = problem_.data().response - problem_.data().offset;
  const auto add = [&](double lambda, Signal solution) {
    Fit fit = make_fit(problem_, lambda, solution.values, Vector::Zero(1));
    fit.multipliers = std::move(solution.multipliers);
    fit.hat = (weights_.array() > 0.0).select(solution.leverages.array() / weights_.array(), 0.0);
    fits.push_back(std::move(fit));
  };
  if (monitor.stop()) return fits;
  if (penalty.graph() != nullptr) {
    const auto edges = static_cast<Index>(penalty.graph()->edges().size());
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) {
      const GraphFit fit =
          solve_graph(*penalty.graph(), signal, weights_, Vector::Constant(edges, lambdas[k]));
      add(lambdas[k], graph_signal(*penalty.graph(), weights_, fit, lambdas[k]));
    }
  } else if (penalty.order() == 1) {
    const std::vector<Blocks> paths = solve_chain(signal, weights_, lambdas);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      add(lambdas[k], chain_signal(signal, weights_, paths[k], lambdas[k]));
    }
  } else {
    const std::vector<PiecewiseLinear> paths = solve_trend(signal, weights_, lambdas);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      add(lambdas[k], trend_signal(signal, weights_, paths[k], lambdas[k]));
    }
  }
  return fits;
}

}  // namespace alo
