// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "penalties/analysis/chain_signals.hpp"
#include "penalties/analysis/edges.hpp"
#include "penalties/analysis/graph_signals.hpp"
#include "penalties/analysis/operators.hpp"
#include "penalties/analysis/right_inverses.hpp"
#include "signals/graph.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// Ratios of cuts that differ by this share are equal. They are quotients of sums over all edges; with a
// smaller share the search for the largest may go on among roundings, with ten times it ends no earlier in
// all but contrived cases.
constexpr double ratio_rounding = 1e-14;

std::shared_ptr<const Graph> make_graph(Index columns, const Edges& edges) {
  std::vector<GraphEdge> list;
  list.reserve(edges.size());
  for (const auto& [tail, head] : edges) {
    if (std::min(tail, head) < 0 || std::max(tail, head) >= columns) {
      throw InvalidData(
          fmt::format("an edge joins coefficients {} and {}, but there are {}", tail + 1, head + 1, columns));
    }
    list.push_back({tail, head});
  }
  return std::make_shared<const Graph>(columns, std::move(list));
}

// The matrix of the differences along the edges, followed by `factor` times the coefficients if that is not
// zero.
SparseMatrix edge_matrix(const Graph& graph, double factor) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto count = static_cast<Index>(graph.edges().size());
  for (Index k = 0; k < count; ++k) {
    const auto [tail, head] = graph.edges()[static_cast<std::size_t>(k)];
    if (tail == head) continue;  // no difference
    entries.emplace_back(static_cast<int>(k), static_cast<int>(tail), -1.0);
    entries.emplace_back(static_cast<int>(k), static_cast<int>(head), 1.0);
  }
  for (Index j = 0; j < graph.nodes() && factor > 0.0; ++j) {
    entries.emplace_back(static_cast<int>(count + j), static_cast<int>(j), factor);
  }
  SparseMatrix matrix(count + (factor > 0.0 ? graph.nodes() : 0), graph.nodes());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// True for a path graph in the order of its nodes, which the taut string solves much faster than cuts do.
bool is_chain(const Graph& graph) {
  const auto& edges = graph.edges();
  if (edges.empty() || static_cast<Index>(edges.size()) + 1 != graph.nodes()) return false;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto place = static_cast<Index>(k);
    if (edges[k].tail != place || edges[k].head != place + 1) return false;
  }
  return true;
}

Proximal edge_prox(const Graph& graph, const VectorView& b, double lambda) {
  if (is_chain(graph)) return marked_chain_prox(b, lambda);
  const auto edges = static_cast<Index>(graph.edges().size());
  const GraphFit fit = solve_graph(graph, b, Vector::Ones(b.size()), Vector::Constant(edges, lambda));
  return {expand(fit), -fit.flow};
}

// The common part of both operators on a graph: coefficients of a connected component are equal, and the
// gauge is a largest ratio of cuts.
class GraphOperator : public AnalysisOperator {
 public:
  bool has_direct_prox() const override { return true; }
  SparseMatrix tangent_basis(const std::vector<Index>& active) const override {
    return block_indicators(blocks(active));
  }
  Vector onto_pattern(const VectorView& b, const std::vector<Index>& active) const override {
    return block_means(blocks(active), b);
  }
  double gauge(const VectorView& slopes) const override;

 protected:
  // `own` is the factor of the coefficients themselves.
  GraphOperator(std::shared_ptr<const Graph> graph, SparseMatrix null_basis, double own)
      : AnalysisOperator(edge_matrix(*graph, own), std::move(null_basis)),
        graph_(std::move(graph)),
        own_(own) {}

  const Graph& graph() const { return *graph_; }
  double own() const { return own_; }
  Index edges() const { return static_cast<Index>(graph_->edges().size()); }
  // The blocks of equal coefficients, and those at zero, when all but the active terms are zero.
  virtual BlockNumbers blocks(const std::vector<Index>& active) const = 0;

 private:
  // For the set of coefficients at a level: the flow that has to leave it over the capacity of the edges that
  // leave it and of its own terms.
  double cut_ratio(const VectorView& slopes, const Vector& values, double level) const;

  std::shared_ptr<const Graph> graph_;
  double own_;
};

double GraphOperator::cut_ratio(const VectorView& slopes, const Vector& values, double level) const {
  double flow = 0.0;
  double capacity = 0.0;
  for (Index j = 0; j < values.size(); ++j) {
    if (values[j] != level) continue;
    flow += slopes[j];
    capacity += own_;
  }
  for (const auto& [tail, head] : graph_->edges()) {
    if ((values[tail] == level) != (values[head] == level)) capacity += 1.0;
  }
  return capacity > 0.0 ? std::abs(flow) / capacity : 0.0;
}

// The largest cut_ratio of all sets of coefficients. The proximal point at a lambda below it shows a set with
// a ratio above lambda, which is the next lambda (Dinkelbach 1967).
double GraphOperator::gauge(const VectorView& slopes) const {
  if (right_inverse() != nullptr) return AnalysisOperator::gauge(slopes);
  double lambda = 0.0;
  Vector values = slopes;
  while (!(matrix() * values).isZero(0.0)) {
    const double larger =
        std::max(cut_ratio(slopes, values, values.maxCoeff()), cut_ratio(slopes, values, values.minCoeff()));
    if (larger <= lambda * (1.0 + ratio_rounding)) break;
    lambda = larger;
    values = prox(slopes, lambda).point;
  }
  return lambda;
}

// Differences alone. They are independent if and only if the graph has no cycle.
class GraphDifferences final : public GraphOperator {
 public:
  GraphDifferences(const std::shared_ptr<const Graph>& graph, const Edges& edges)
      : GraphOperator(graph, block_indicators(components(*graph, {})), 0.0), signals_(graph_signals(graph)) {
    if (auto terms = forest_terms(graph->nodes(), edges)) inverse_.emplace(std::move(*terms));
  }

  // From the edges of one node.
  std::pair<double, double> best_values(const VectorView& b, const VectorView& /*weights*/,
                                        Index coefficient) const override {
    const auto [low, high] = graph_interval(graph(), Vector::Ones(edges()), b, coefficient);
    return {low, high};
  }
  Proximal prox(const VectorView& b, double lambda) const override { return edge_prox(graph(), b, lambda); }
  const RightInverse* right_inverse() const override { return inverse_ ? &*inverse_ : nullptr; }
  const SignalPatterns* signals() const override { return signals_.get(); }

 private:
  BlockNumbers blocks(const std::vector<Index>& active) const override { return components(graph(), active); }

  std::optional<SparseRightInverse> inverse_;
  std::unique_ptr<const SignalPatterns> signals_;
};

// Differences and the coefficients themselves. The rows are dependent, because the differences are
// combinations of the others.
class SparseGraphDifferences final : public GraphOperator, public ProximalMap {
 public:
  SparseGraphDifferences(const std::shared_ptr<const Graph>& graph, double factor)
      : GraphOperator(graph, SparseMatrix(graph->nodes(), 0), factor) {}

  Proximal prox(const VectorView& b, double lambda) const override;
  const ProximalMap* proximal_map() const override { return this; }

  Proximal at(const VectorView& signal, double lambda) const override;
  Vector slopes(const VectorView& multipliers, double lambda) const override;

 private:
  BlockNumbers blocks(const std::vector<Index>& active) const override;
};

// Shrinking the proximal point of the differences towards zero gives that of both (Friedman, Hastie, Hofling
// and Tibshirani 2007).
Proximal SparseGraphDifferences::prox(const VectorView& b, double lambda) const {
  Proximal fused = edge_prox(graph(), b, lambda);
  Proximal result{std::move(fused.point), Vector(matrix().rows())};
  result.multipliers.head(edges()) = fused.multipliers;
  const double threshold = lambda * own();
  for (Index j = 0; j < b.size(); ++j) {
    double& value = result.point[j];
    const bool stays = std::abs(value) > threshold;
    result.multipliers[edges() + j] = stays ? std::copysign(lambda, value) : value / own();
    value = stays ? value - std::copysign(threshold, value) : 0.0;
  }
  return result;
}

// Equal coefficients are equal to the last digit, so that their differences mark the pattern without a
// tolerance.
Proximal SparseGraphDifferences::at(const VectorView& signal, double lambda) const {
  Proximal result = prox(signal, lambda);
  const Vector terms = matrix() * result.point;
  for (Index k = 0; k < terms.size(); ++k) {
    result.multipliers[k] = marked_multiplier(result.multipliers[k], terms[k], lambda);
  }
  return result;
}

// A coefficient that is not zero is the mean of its block plus a constant, so the derivative in its own row
// is one over the size of the block.
Vector SparseGraphDifferences::slopes(const VectorView& multipliers, double lambda) const {
  const BlockNumbers joined = components(graph(), active_terms(Vector(), multipliers, lambda));
  Vector size = Vector::Zero(joined.count);
  for (const Index block : joined.of) size[block] += 1.0;
  const Vector means = size.cwiseInverse()(joined.of);
  return (multipliers.tail(means.size()).array().abs() >= lambda).select(means, 0.0);
}

BlockNumbers SparseGraphDifferences::blocks(const std::vector<Index>& active) const {
  const BlockNumbers joined = components(graph(), active);
  std::vector<bool> is_zero(static_cast<std::size_t>(joined.count), false);
  auto next = std::lower_bound(active.begin(), active.end(), edges());
  for (Index j = 0; j < graph().nodes(); ++j) {
    const bool is_active = next != active.end() && *next == edges() + j;
    if (is_active) ++next;
    if (!is_active) is_zero[static_cast<std::size_t>(joined.of[static_cast<std::size_t>(j)])] = true;
  }
  BlockNumbers result;
  std::vector<Index> number(static_cast<std::size_t>(joined.count), BlockNumbers::at_zero);
  for (std::size_t block = 0; block < number.size(); ++block) {
    if (!is_zero[block]) number[block] = result.count++;
  }
  result.of.reserve(joined.of.size());
  for (const Index block : joined.of) result.of.push_back(number[static_cast<std::size_t>(block)]);
  return result;
}

}  // namespace

std::shared_ptr<const AnalysisOperator> graph_differences(Index columns, const Edges& edges) {
  return std::make_shared<const GraphDifferences>(make_graph(columns, edges), edges);
}

std::shared_ptr<const AnalysisOperator> sparse_graph_differences(Index columns, const Edges& edges,
                                                                 double factor) {
  if (!(factor > 0.0) || std::isinf(factor)) {
    throw InvalidArgument(fmt::format(
        "the factor of the coefficients themselves must be a finite number, zero or more, but is {}",
        factor));
  }
  return std::make_shared<const SparseGraphDifferences>(make_graph(columns, edges), factor);
}

}  // namespace alo
