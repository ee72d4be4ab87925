// SPDX-License-Identifier: MIT
#include "penalties/analysis/graph_signals.hpp"

#include <algorithm>
#include <cmath>

#include "signals/multiplier.hpp"

namespace alo {

namespace {

using Patterns = std::vector<std::unique_ptr<SignalPattern>>;

class GraphPattern final : public SignalPattern {
 public:
  GraphPattern(std::shared_ptr<const Graph> graph, GraphFit fit)
      : graph_(std::move(graph)), fit_(std::move(fit)) {}

  Vector values() const override { return expand(fit_); }

  double variation() const override {
    const Vector values = expand(fit_);
    double sum = 0.0;
    for (const auto& [tail, head] : graph_->edges()) sum += std::abs(values[head] - values[tail]);
    return sum;
  }

  Vector multipliers(const VectorView&, const VectorView&, double lambda) const override {
    const Vector values = expand(fit_);
    Vector result = -fit_.flow;
    for (Index e = 0; e < result.size(); ++e) {
      const auto [tail, head] = graph_->edges()[static_cast<std::size_t>(e)];
      result[e] = marked_multiplier(result[e], values[head] - values[tail], lambda);
    }
    return result;
  }

  Vector hat(const VectorView& weights, const VectorView& curvature) const override {
    Vector weight = Vector::Zero(fit_.count());
    Vector bend = Vector::Zero(fit_.count());
    for (Index i = 0; i < curvature.size(); ++i) {
      weight[fit_.component[static_cast<std::size_t>(i)]] += weights[i];
      bend[fit_.component[static_cast<std::size_t>(i)]] += curvature[i];
    }
    if ((bend.array() == 0.0 && weight.array() > 0.0).any()) return {};
    const Vector inverse = (bend.array() > 0.0).select(bend.array().inverse(), 0.0);
    return inverse(fit_.component);
  }

 private:
  std::shared_ptr<const Graph> graph_;
  GraphFit fit_;
};

class GraphSearch final : public SignalSearch {
 public:
  GraphSearch(std::shared_ptr<const Graph> graph, Vector signal, Vector weights)
      : SignalSearch(std::move(signal), std::move(weights)), graph_(std::move(graph)) {}

  Patterns solve(std::span<const double> lambdas, const Monitor& monitor) override {
    const auto edges = static_cast<Index>(graph_->edges().size());
    Patterns patterns;
    for (std::size_t k = 0; k < lambdas.size() && !monitor.stop(); ++k) {
      GraphFit fit = solve_graph(*graph_, signal(), weights(), Vector::Constant(edges, lambdas[k]));
      patterns.push_back(std::make_unique<GraphPattern>(graph_, std::move(fit)));
    }
    return patterns;
  }

 private:
  std::shared_ptr<const Graph> graph_;
};

class GraphSignals final : public SignalPatterns {
 public:
  explicit GraphSignals(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {}

  std::unique_ptr<SignalSearch> search(Vector signal, Vector weights) const override {
    return std::make_unique<GraphSearch>(graph_, std::move(signal), std::move(weights));
  }
  std::unique_ptr<SignalPattern> marked(const VectorView&, const std::vector<Index>& active) const override {
    BlockNumbers blocks = components(*graph_, active);
    GraphFit fit;
    fit.component = std::move(blocks.of);
    fit.value = Vector::Zero(blocks.count);
    return std::make_unique<GraphPattern>(graph_, std::move(fit));
  }

 private:
  std::shared_ptr<const Graph> graph_;
};

}  // namespace

BlockNumbers components(const Graph& graph, const std::vector<Index>& cut) {
  constexpr Index unknown = -1;
  BlockNumbers blocks;
  blocks.of.assign(static_cast<std::size_t>(graph.nodes()), unknown);
  std::vector<Index> waiting;
  for (Index begin = 0; begin < graph.nodes(); ++begin) {
    if (blocks.of[static_cast<std::size_t>(begin)] != unknown) continue;
    blocks.of[static_cast<std::size_t>(begin)] = blocks.count;
    waiting.push_back(begin);
    while (!waiting.empty()) {
      const Index node = waiting.back();
      waiting.pop_back();
      for (std::int32_t arc = graph.first_arc(node); arc < graph.end_arc(node); ++arc) {
        const Index head = graph.arcs()[static_cast<std::size_t>(arc)].head;
        Index& block = blocks.of[static_cast<std::size_t>(head)];
        if (block != unknown || std::ranges::binary_search(cut, graph.edge_of(arc))) continue;
        block = blocks.count;
        waiting.push_back(head);
      }
    }
    ++blocks.count;
  }
  return blocks;
}

std::unique_ptr<const SignalPatterns> graph_signals(std::shared_ptr<const Graph> graph) {
  return std::make_unique<GraphSignals>(std::move(graph));
}

}  // namespace alo
