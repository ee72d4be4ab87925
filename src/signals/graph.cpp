// SPDX-License-Identifier: MIT
#include "signals/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "signals/pseudo_flow.hpp"

namespace alo {

Graph::Graph(Index nodes, std::vector<GraphEdge> edges)
    : edges_(std::move(edges)),
      first_arc_(nodes + 1, 0),
      arc_of_(edges_.size()),
      edge_of_(2 * edges_.size()),
      arcs_(2 * edges_.size()) {
  for (const auto& [tail, head] : edges_) {
    if (std::min(tail, head) < 0 || std::max(tail, head) >= nodes) {
      throw InvalidArgument(fmt::format(
          "an edge joins the nodes {} and {}, but there are {} nodes, counted from 0", tail, head, nodes));
    }
    ++first_arc_[tail + 1];
    ++first_arc_[head + 1];
  }
  std::partial_sum(first_arc_.begin(), first_arc_.end(), first_arc_.begin());
  std::vector<std::int32_t> next(first_arc_.begin(), first_arc_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [tail, head] = edges_[e];
    const std::int32_t forward = next[tail]++;
    const std::int32_t backward = next[head]++;
    arcs_[forward] = {static_cast<std::int32_t>(head), backward};
    arcs_[backward] = {static_cast<std::int32_t>(tail), forward};
    arc_of_[e] = forward;
    edge_of_[forward] = edge_of_[backward] = static_cast<std::int32_t>(e);
  }
}

std::vector<GraphEdge> grid_edges(Index rows, Index columns) {
  std::vector<GraphEdge> edges;
  edges.reserve(2 * rows * columns);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index node = r * columns + c;
      if (c + 1 < columns) edges.push_back({node, node + 1});
      if (r + 1 < rows) edges.push_back({node, node + columns});
    }
  }
  return edges;
}

namespace {

// An excess below this share of the largest supply or capacity is rounding: it is a sum over the arcs of a
// node. At a tenth rounding is moved along arcs, which takes time and may part nodes that join_ties joins
// again; at ten times values may be off by 1e-13 of the signal.
constexpr double excess_share = 1e-14;
// Values of two components are equal if they differ by no more than this share of the numbers that they are
// computed from. It is four times that of a chain, because a component has more edges than two. At a tenth
// components stay apart by rounding, at ten times jumps of 7e-14 of the signal are lost.
constexpr double cut_tie_share = 32.0 * std::numeric_limits<double>::epsilon();

// The problem with the signal less its mean, zero at nodes without weight, and capacities that are no larger
// than any flow could be.
struct Centered {
  double center = 0.0;
  double largest = 0.0;  // of |y|
  Vector supply;         // w (y - centre)
  Vector capacities;
};

Centered centered(const VectorView& signal, const VectorView& weights, const VectorView& capacities) {
  Centered problem;
  double weight = 0.0;
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] == 0.0) continue;
    weight += weights[i];
    problem.center += weights[i] * signal[i];
    problem.largest = std::max(problem.largest, std::abs(signal[i]));
  }
  if (weight > 0.0) problem.center /= weight;
  problem.supply = Vector::Zero(signal.size());
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] > 0.0) problem.supply[i] = weights[i] * (signal[i] - problem.center);
  }
  const double total = problem.supply.lpNorm<1>();
  problem.capacities = capacities.cwiseMin(total > 0.0 ? 4.0 * total : 1.0);
  return problem;
}

// Divides the nodes level by level, until every part has its mean as its value.
class Division {
 public:
  Division(const Graph& graph, const Centered& problem, const VectorView& weights)
      : graph_(graph),
        weights_(weights),
        flow_(graph, problem.supply, problem.capacities),
        tolerance_(excess_share * largest(problem)),
        part_(graph.nodes(), -1) {
    std::vector<std::int32_t> all(graph.nodes());
    std::iota(all.begin(), all.end(), 0);
    separate(all, 0.0);
    while (!nodes_.empty()) next_level();
  }

  Vector flow() const { return flow_.flow(); }
  const std::vector<std::int32_t>& part() const { return part_; }
  const std::vector<double>& values() const { return values_; }

 private:
  struct Part {
    Index begin, end;  // in nodes_
    double value;      // the mean so far
  };

  static double largest(const Centered& problem) {
    const double supply = problem.supply.size() > 0 ? problem.supply.lpNorm<Eigen::Infinity>() : 0.0;
    const double capacity = problem.capacities.size() > 0 ? problem.capacities.maxCoeff() : 0.0;
    return std::max(supply, capacity);
  }

  std::span<const std::int32_t> nodes_of(const Part& part) const {
    return std::span(nodes_).subspan(part.begin, part.end - part.begin);
  }

  void next_level() {
    for (Part& part : parts_) take_mean(part);
    flow_.maximize(nodes_, tolerance_);
    const std::vector<std::int32_t> nodes = std::exchange(nodes_, {});
    const std::vector<Part> parts = std::exchange(parts_, {});
    for (const Part& part : parts) {
      const auto members = std::span(nodes).subspan(part.begin, part.end - part.begin);
      const auto above = std::ranges::count_if(members, [&](auto node) { return flow_.reached(node); });
      if (above == 0 || above == std::ssize(members)) {
        finish(members, part.value);
      } else {
        cut(members);
        separate(members, part.value);
      }
    }
  }

  void take_mean(Part& part) {
    double excess = 0.0;
    double weight = 0.0;
    for (const std::int32_t node : nodes_of(part)) {
      excess += flow_.excess(node);
      weight += weights_[node];
    }
    if (weight == 0.0) return;
    const double shift = excess / weight;
    part.value += shift;
    for (const std::int32_t node : nodes_of(part)) flow_.add_excess(node, -weights_[node] * shift);
  }

  void cut(std::span<const std::int32_t> members) {
    for (const std::int32_t node : members) {
      if (!flow_.reached(node)) continue;
      for (std::int32_t k = graph_.first_arc(node); k < graph_.end_arc(node); ++k) {
        if (flow_.open(k) && !flow_.reached(graph_.arcs()[k].head)) flow_.close(k);
      }
    }
  }

  void finish(std::span<const std::int32_t> members, double value) {
    for (const std::int32_t node : members) part_[node] = static_cast<std::int32_t>(values_.size());
    values_.push_back(value);
  }

  // Makes the connected sets of these nodes parts of the next level.
  void separate(std::span<const std::int32_t> members, double value) {
    constexpr std::int32_t fresh = -1;
    constexpr std::int32_t seen = -2;
    for (const std::int32_t node : members) part_[node] = fresh;
    for (const std::int32_t start : members) {
      if (part_[start] == seen) continue;
      const Index begin = static_cast<Index>(nodes_.size());
      part_[start] = seen;
      nodes_.push_back(start);
      for (std::size_t head = begin; head < nodes_.size(); ++head) {
        const std::int32_t node = nodes_[head];
        for (std::int32_t k = graph_.first_arc(node); k < graph_.end_arc(node); ++k) {
          const std::int32_t other = graph_.arcs()[k].head;
          if (part_[other] == seen || !flow_.open(k)) continue;
          part_[other] = seen;
          nodes_.push_back(other);
        }
      }
      parts_.push_back({begin, static_cast<Index>(nodes_.size()), value});
    }
  }

  const Graph& graph_;
  const VectorView& weights_;
  PseudoFlow flow_;
  double tolerance_;
  std::vector<std::int32_t> nodes_;  // of the parts that may still divide, part after part
  std::vector<Part> parts_;
  std::vector<std::int32_t> part_;  // the final part of each node, negative where it may still divide
  std::vector<double> values_;
};

// Numbers the labels from 0 in the order of their first node, and returns how many there are.
Index renumber(std::vector<Index>& labels) {
  std::vector<Index> number;
  number.assign(labels.size(), Index{-1});
  Index count = 0;
  for (Index& label : labels) {
    if (number[label] < 0) number[label] = count++;
    label = number[label];
  }
  return count;
}

// Computes the values from the components and the flow between them alone: (sum of w y - flow out of the
// component) / weight. `rounding` gets a bound on the error of each.
void take_values(GraphFit& fit, Index count, const Graph& graph, const Centered& problem,
                 const VectorView& weights, const Vector& otherwise, Vector& rounding) {
  fit.value = Vector::Zero(count);
  rounding = Vector::Zero(count);
  Vector weight = Vector::Zero(count);
  Vector replacement(count);
  for (Index i = 0; i < graph.nodes(); ++i) {
    const Index k = fit.component[i];
    fit.value[k] += problem.supply[i];
    weight[k] += weights[i];
    replacement[k] = otherwise[i];
  }
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const Index tail = fit.component[graph.edges()[e].tail];
    const Index head = fit.component[graph.edges()[e].head];
    if (tail == head) continue;
    fit.value[tail] -= fit.flow[e];
    fit.value[head] += fit.flow[e];
    rounding[tail] += std::abs(fit.flow[e]);
    rounding[head] += std::abs(fit.flow[e]);
  }
  for (Index k = 0; k < count; ++k) {
    const bool weightless = weight[k] == 0.0;
    fit.value[k] = weightless ? replacement[k] : fit.value[k] / weight[k];
    rounding[k] = cut_tie_share * (problem.largest + (weightless ? 0.0 : rounding[k] / weight[k]));
  }
}

// Joins components whose values contradict the flow between them, because rounding has parted them. False if
// there are none.
bool join_ties(GraphFit& fit, const Graph& graph, const Vector& rounding) {
  std::vector<Index> root(fit.count());
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  bool joined = false;
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const Index tail = fit.component[graph.edges()[e].tail];
    const Index head = fit.component[graph.edges()[e].head];
    if (tail == head || fit.flow[e] == 0.0) continue;
    const double fall = std::copysign(1.0, fit.flow[e]) * (fit.value[tail] - fit.value[head]);
    if (fall > std::max(rounding[tail], rounding[head])) continue;
    root[find(tail)] = find(head);
    joined = true;
  }
  for (Index& label : fit.component) label = find(label);
  return joined;
}

}  // namespace

Vector expand(const GraphFit& fit) {
  return fit.value(fit.component);
}

GraphFit solve_graph(const Graph& graph, const VectorView& signal, const VectorView& weights,
                     const VectorView& capacities) {
  const Centered problem = centered(signal, weights, capacities);
  const Division division(graph, problem, weights);

  GraphFit fit;
  fit.flow = division.flow();
  fit.component.assign(division.part().begin(), division.part().end());
  for (Index e = 0; e < capacities.size(); ++e) {
    const auto [tail, head] = graph.edges()[e];
    const double most = problem.capacities[e];
    const bool full = fit.component[tail] != fit.component[head];
    fit.flow[e] = full ? std::copysign(most, fit.flow[e]) : std::clamp(fit.flow[e], -most, most);
  }
  Vector otherwise(graph.nodes());
  for (Index i = 0; i < graph.nodes(); ++i) otherwise[i] = division.values()[division.part()[i]];
  Vector rounding;
  do {
    const Index count = renumber(fit.component);
    take_values(fit, count, graph, problem, weights, otherwise, rounding);
  } while (join_ties(fit, graph, rounding));
  fit.value.array() += problem.center;
  return fit;
}

std::pair<double, double> graph_interval(const Graph& graph, const VectorView& capacities,
                                         const VectorView& values, Index node) {
  std::vector<std::pair<double, double>> pulls;  // value of a neighbour, capacity of the edge to it
  double total = 0.0;
  for (std::int32_t k = graph.first_arc(node); k < graph.end_arc(node); ++k) {
    const Index other = graph.arcs()[k].head;
    const double capacity = capacities[graph.edge_of(k)];
    if (other == node || capacity == 0.0) continue;
    pulls.emplace_back(values[other], capacity);
    total += capacity;
  }
  std::ranges::sort(pulls);
  const double rounding = cut_tie_share * total;
  double slope = -total;  // of sum c |b - value| in b, to the right of the pulls passed
  for (std::size_t k = 0; k < pulls.size(); ++k) {
    slope += 2.0 * pulls[k].second;
    if (slope < -rounding) continue;
    const bool flat = slope <= rounding && k + 1 < pulls.size();
    return {pulls[k].first, pulls[flat ? k + 1 : k].first};
  }
  return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
}

}  // namespace alo
