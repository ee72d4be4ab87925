// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alo/types.hpp"
#include "signals/graph.hpp"

namespace alo {

// A flow on the edges of a graph that need not balance at the nodes (a preflow, with deficits). The excess of
// a node is its supply less the flow that leaves it on balance; it is negative where the node receives too
// little.
class PseudoFlow {
 public:
  using Nodes = std::span<const std::int32_t>;

  // The flow begins at zero. `supply` is the amount that each node has to send away.
  PseudoFlow(const Graph& graph, const VectorView& supply, const VectorView& capacities);

  double excess(Index node) const { return excess_[node]; }
  void add_excess(Index node, double amount) { excess_[node] += amount; }
  // The flow on each edge.
  Vector flow() const;

  // Whether an arc's edge is part of the network: it has a capacity and was not closed.
  bool open(std::int32_t arc) const {
    return residual_[arc] > 0.0 || residual_[graph_.arcs()[arc].reverse] > 0.0;
  }
  // Takes the edge of a full arc out of the network; its flow stays.
  void close(std::int32_t arc);

  // Moves excess along arcs that are not full, until no excess above `tolerance` can reach a node with a
  // deficit of as much. Arcs that lead from `nodes` to other nodes must be closed. Afterwards `reached` says
  // which of the nodes can be reached from an excess: the source side of the smallest minimal cut.
  void maximize(Nodes nodes, double tolerance);
  bool reached(Index node) const { return distance_[node] >= 0; }

 private:
  template <int direction>
  bool wave(Nodes nodes, double tolerance, Index movable);
  template <int direction>
  Index measure_distances(double tolerance, Index movable);
  template <int direction>
  void move();
  void mark_reached(Nodes nodes, double tolerance);

  const Graph& graph_;
  std::vector<double> excess_;    // of each node
  std::vector<double> residual_;  // of each arc: what it can still take; negative where the edge is closed
  std::vector<std::int32_t> distance_;
  std::vector<std::int32_t> queue_;
};

}  // namespace alo
