// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/signal_pattern.hpp"

#include <algorithm>
#include <cmath>

#include "signals/multiplier.hpp"

namespace alo {

namespace {

// u_k = -(sum of w_i (y_i - b_i) up to k), begun anew at every jump, where it is known.
Vector chain_multipliers(const Blocks& blocks, const VectorView& signal, const VectorView& weights,
                         double lambda) {
  Vector result(std::max<Index>(0, blocks.rows - 1));
  double multiplier = 0.0;
  for (Index k = 0; k < blocks.count(); ++k) {
    const Index last = blocks.end(k) - 1;
    const double value = blocks.value[k];
    for (Index i = blocks.first[static_cast<std::size_t>(k)]; i < last; ++i) {
      if (weights[i] > 0.0) multiplier -= weights[i] * (signal[i] - value);
      result[i] = marked_multiplier(multiplier, 0.0, lambda);
    }
    if (k + 1 == blocks.count()) break;
    multiplier = std::copysign(lambda, blocks.value[k + 1] - value);
    result[last] = multiplier;
  }
  return result;
}

Vector trend_multipliers(const PiecewiseLinear& trend, const VectorView& signal, const VectorView& weights,
                         double lambda) {
  const Vector b = expand(trend);
  const Index terms = std::max<Index>(0, b.size() - 2);
  Vector result = trend_dual(signal, weights, b).segment(1, terms);
  std::size_t next = 1;  // inner nodes are where b bends
  for (Index k = 0; k < terms; ++k) {
    while (next + 1 < trend.node.size() && trend.node[next] < k + 1) ++next;
    const bool bends = next + 1 < trend.node.size() && trend.node[next] == k + 1;
    result[k] = marked_multiplier(result[k], bends ? b[k] - 2.0 * b[k + 1] + b[k + 2] : 0.0, lambda);
  }
  return result;
}

Vector graph_multipliers(const Graph& graph, const GraphFit& fit, double lambda) {
  const Vector values = expand(fit);
  Vector result = -fit.flow;
  for (Index e = 0; e < result.size(); ++e) {
    const auto [tail, head] = graph.edges()[static_cast<std::size_t>(e)];
    result[e] = marked_multiplier(result[e], values[head] - values[tail], lambda);
  }
  return result;
}

Blocks marked_blocks(Index rows, const std::vector<Index>& jumps) {
  Blocks blocks;
  blocks.rows = rows;
  blocks.first.push_back(0);
  for (const Index k : jumps) blocks.first.push_back(k + 1);
  return blocks;
}

PiecewiseLinear marked_trend(const VectorView& weights, const std::vector<Index>& bends) {
  PiecewiseLinear trend;
  trend.rows = weights.size();
  Index first = 0;
  Index last = weights.size() - 1;
  while (first <= last && weights[first] == 0.0) ++first;
  while (first <= last && weights[last] == 0.0) --last;
  if (first > last) return trend;
  trend.node.push_back(first);
  for (const Index k : bends) trend.node.push_back(k + 1);
  if (last > first) trend.node.push_back(last);
  return trend;
}

// Nodes that edges join which are not cut.
GraphFit marked_components(const Graph& graph, const std::vector<Index>& cut) {
  constexpr Index unknown = -1;
  GraphFit fit;
  fit.component.assign(static_cast<std::size_t>(graph.nodes()), unknown);
  Index count = 0;
  std::vector<Index> waiting;
  for (Index begin = 0; begin < graph.nodes(); ++begin) {
    if (fit.component[static_cast<std::size_t>(begin)] != unknown) continue;
    fit.component[static_cast<std::size_t>(begin)] = count;
    waiting.push_back(begin);
    while (!waiting.empty()) {
      const Index node = waiting.back();
      waiting.pop_back();
      for (std::int32_t arc = graph.first_arc(node); arc < graph.end_arc(node); ++arc) {
        const Index head = graph.arcs()[static_cast<std::size_t>(arc)].head;
        Index& component = fit.component[static_cast<std::size_t>(head)];
        if (component != unknown || std::ranges::binary_search(cut, graph.edge_of(arc))) continue;
        component = count;
        waiting.push_back(head);
      }
    }
    ++count;
  }
  fit.value = Vector::Zero(count);
  return fit;
}

Vector chain_hat(const Blocks& blocks, const VectorView& weights, const VectorView& curvature) {
  Vector result(blocks.rows);
  for (Index k = 0; k < blocks.count(); ++k) {
    const Index first = blocks.first[static_cast<std::size_t>(k)];
    const Index size = blocks.end(k) - first;
    const double bend = curvature.segment(first, size).sum();
    if (bend == 0.0 && weights.segment(first, size).sum() > 0.0) return {};
    result.segment(first, size).setConstant(bend > 0.0 ? 1.0 / bend : 0.0);
  }
  return result;
}

Vector graph_hat(const GraphFit& fit, const VectorView& weights, const VectorView& curvature) {
  Vector weight = Vector::Zero(fit.count());
  Vector bend = Vector::Zero(fit.count());
  for (Index i = 0; i < curvature.size(); ++i) {
    weight[fit.component[static_cast<std::size_t>(i)]] += weights[i];
    bend[fit.component[static_cast<std::size_t>(i)]] += curvature[i];
  }
  if ((bend.array() == 0.0 && weight.array() > 0.0).any()) return {};
  const Vector inverse = (bend.array() > 0.0).select(bend.array().inverse(), 0.0);
  return inverse(fit.component);
}

}  // namespace

bool has_signal_pattern(const GeneralizedLasso& penalty) {
  const bool along_row = penalty.order() > 0 && penalty.matrix().rows() > 0;
  return along_row || (penalty.graph() != nullptr && penalty.sparse() == 0.0);
}

SignalPath::SignalPath(const GeneralizedLasso& penalty, Vector signal, Vector weights, TrendSearches search)
    : penalty_(&penalty), signal_(std::move(signal)), weights_(std::move(weights)), search_(search) {
  if (penalty.graph() == nullptr && penalty.order() == 1) chain_.emplace(signal_, weights_);
}

std::vector<SignalPattern> SignalPath::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<SignalPattern> result;
  if (monitor.stop()) return result;
  const auto take = [&result](auto path) {
    for (auto& pattern : path) result.emplace_back(std::move(pattern));
  };
  if (chain_) {
    take(chain_->solve(lambdas));
  } else if (const Graph* graph = penalty_->graph()) {
    const auto edges = static_cast<Index>(graph->edges().size());
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) {
      result.emplace_back(solve_graph(*graph, signal_, weights_, Vector::Constant(edges, lambdas[k])));
    }
  } else if (penalty_->order() == 2 && search_ == TrendSearches::fast) {
    take(solve_trend(signal_, weights_, lambdas));
  } else {
    take(solve_spline(signal_, weights_, penalty_->order(), lambdas));
  }
  return result;
}

Vector signal_values(const SignalPattern& pattern) {
  return std::visit([](const auto& solution) { return expand(solution); }, pattern);
}

double signal_variation(const GeneralizedLasso& penalty, const SignalPattern& pattern) {
  double sum = 0.0;
  if (const auto* fit = std::get_if<GraphFit>(&pattern)) {
    const Vector values = expand(*fit);
    for (const auto& [tail, head] : penalty.graph()->edges()) sum += std::abs(values[head] - values[tail]);
  } else if (const auto* blocks = std::get_if<Blocks>(&pattern)) {
    for (Index k = 0; k + 1 < blocks->count(); ++k) sum += std::abs(blocks->value[k + 1] - blocks->value[k]);
  } else if (const auto* spline = std::get_if<PiecewisePolynomial>(&pattern)) {
    sum = spline->value.lpNorm<1>();
  } else {
    const auto& trend = std::get<PiecewiseLinear>(pattern);
    double before = 0.0;
    for (Index k = 0; k + 1 < trend.value.size(); ++k) {
      const auto node = static_cast<std::size_t>(k);
      const double slope = (trend.value[k + 1] - trend.value[k]) /
                           static_cast<double>(trend.node[node + 1] - trend.node[node]);
      if (k > 0) sum += std::abs(slope - before);
      before = slope;
    }
  }
  return sum;
}

Vector signal_multipliers(const GeneralizedLasso& penalty, const SignalPattern& pattern,
                          const VectorView& signal, const VectorView& weights, double lambda) {
  if (const auto* fit = std::get_if<GraphFit>(&pattern)) {
    return graph_multipliers(*penalty.graph(), *fit, lambda);
  }
  if (const auto* blocks = std::get_if<Blocks>(&pattern)) {
    return chain_multipliers(*blocks, signal, weights, lambda);
  }
  if (const auto* spline = std::get_if<PiecewisePolynomial>(&pattern)) {
    return marked_multipliers(*spline, signal, weights, lambda);
  }
  return trend_multipliers(std::get<PiecewiseLinear>(pattern), signal, weights, lambda);
}

SignalPattern marked_pattern(const GeneralizedLasso& penalty, const VectorView& weights, const Fit& fit) {
  const std::vector<Index> active = penalty.active_terms(fit.coefficients, fit.multipliers, fit.lambda);
  if (penalty.graph() != nullptr) return marked_components(*penalty.graph(), active);
  if (penalty.order() == 1) return marked_blocks(weights.size(), active);
  if (penalty.order() == 2) return marked_trend(weights, active);
  return PiecewisePolynomial{.rows = weights.size(), .order = penalty.order(), .difference = active};
}

Vector signal_hat(const SignalPattern& pattern, const VectorView& weights, const VectorView& curvature) {
  if (const auto* fit = std::get_if<GraphFit>(&pattern)) return graph_hat(*fit, weights, curvature);
  if (const auto* blocks = std::get_if<Blocks>(&pattern)) return chain_hat(*blocks, weights, curvature);
  if (const auto* spline = std::get_if<PiecewisePolynomial>(&pattern)) return hat_values(*spline, curvature);
  return hat_values(std::get<PiecewiseLinear>(pattern), curvature);
}

}  // namespace alo
