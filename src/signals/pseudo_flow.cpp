// SPDX-License-Identifier: MIT
#include "signals/pseudo_flow.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

PseudoFlow::PseudoFlow(const Graph& graph, const VectorView& supply, const VectorView& capacities)
    : graph_(graph),
      excess_(supply.begin(), supply.end()),
      residual_(graph.arcs().size()),
      distance_(graph.nodes(), -1) {
  queue_.reserve(graph.nodes());
  for (Index e = 0; e < capacities.size(); ++e) {
    const std::int32_t arc = graph.arc_of(e);
    residual_[arc] = residual_[graph.arcs()[arc].reverse] = capacities[e];
  }
}

Vector PseudoFlow::flow() const {
  const Index edges = static_cast<Index>(graph_.edges().size());
  Vector flow(edges);
  for (Index e = 0; e < edges; ++e) {
    const std::int32_t arc = graph_.arc_of(e);
    flow[e] = 0.5 * (std::abs(residual_[graph_.arcs()[arc].reverse]) - std::abs(residual_[arc]));
  }
  return flow;
}

void PseudoFlow::close(std::int32_t arc) {
  double& back = residual_[graph_.arcs()[arc].reverse];
  back = -std::abs(back);
}

// In waves along shortest paths (as Dinic 1970), either excess is pushed to nodes with a deficit or a deficit
// is pulled to nodes with excess. The more numerous side moves: many small amounts then join on their way,
// while a few large amounts would fill one small deficit after the other.
void PseudoFlow::maximize(Nodes nodes, double tolerance) {
  bool moved = true;
  while (moved) {
    Index surplus = 0;
    Index lack = 0;
    for (const std::int32_t node : nodes) {
      if (excess_[node] > tolerance) ++surplus;
      if (excess_[node] < -tolerance) ++lack;
    }
    moved = surplus >= lack ? wave<1>(nodes, tolerance, surplus) : wave<-1>(nodes, tolerance, lack);
  }
  mark_reached(nodes, tolerance);
}

// One wave. Direction 1 pushes excess and direction -1 pulls deficits, which is the same with all signs
// reversed. False if nothing can move. `movable` is the number of nodes that have something to move.
template <int direction>
bool PseudoFlow::wave(Nodes nodes, double tolerance, Index movable) {
  queue_.clear();
  for (const std::int32_t node : nodes) {
    const bool goal = direction * excess_[node] < -tolerance;
    distance_[node] = goal ? 0 : -1;
    if (goal) queue_.push_back(node);
  }
  const Index unmet = measure_distances<direction>(tolerance, movable);
  if (unmet == movable) return false;
  move<direction>();
  return true;
}

// The number of arcs from each node to the nearest goal, by a breadth-first search from the goals that ends
// as soon as it has met all nodes that can move. Returns how many it has not met.
template <int direction>
Index PseudoFlow::measure_distances(double tolerance, Index movable) {
  for (std::size_t head = 0; head < queue_.size() && movable > 0; ++head) {
    const std::int32_t node = queue_[head];
    for (std::int32_t k = graph_.first_arc(node); k < graph_.end_arc(node); ++k) {
      const auto [other, reverse] = graph_.arcs()[k];
      if (distance_[other] >= 0 || residual_[direction > 0 ? reverse : k] <= 0.0) continue;
      distance_[other] = distance_[node] + 1;
      queue_.push_back(other);
      if (direction * excess_[other] > tolerance) --movable;
    }
  }
  return movable;
}

// From the farthest node to the nearest, each moves its amount one arc nearer to the goals.
template <int direction>
void PseudoFlow::move() {
  for (std::size_t position = queue_.size(); position-- > 0;) {
    const std::int32_t node = queue_[position];
    double amount = direction * excess_[node];
    if (amount <= 0.0) continue;
    const std::int32_t nearer = distance_[node] - 1;
    if (nearer < 0) break;
    for (std::int32_t k = graph_.first_arc(node); k < graph_.end_arc(node) && amount > 0.0; ++k) {
      const auto [other, reverse] = graph_.arcs()[k];
      if (distance_[other] != nearer) continue;
      double& taken = residual_[direction > 0 ? k : reverse];
      if (taken <= 0.0) continue;
      const double part = std::min(amount, taken);
      taken -= part;
      residual_[direction > 0 ? reverse : k] += part;
      excess_[other] += direction * part;
      amount -= part;
    }
    excess_[node] = direction * amount;
  }
}

void PseudoFlow::mark_reached(Nodes nodes, double tolerance) {
  queue_.clear();
  for (const std::int32_t node : nodes) {
    distance_[node] = -1;
    if (excess_[node] <= tolerance) continue;
    distance_[node] = 0;
    queue_.push_back(node);
  }
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::int32_t node = queue_[head];
    for (std::int32_t k = graph_.first_arc(node); k < graph_.end_arc(node); ++k) {
      const std::int32_t other = graph_.arcs()[k].head;
      if (distance_[other] >= 0 || residual_[k] <= 0.0) continue;
      distance_[other] = 0;
      queue_.push_back(other);
    }
  }
}

}  // namespace alo
