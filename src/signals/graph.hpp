// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "alo/types.hpp"

namespace alo {

struct GraphEdge {
  Index tail;
  Index head;
};

// An undirected graph. Each edge is stored as two arcs, one in the list of each of its nodes. The direction
// of an edge only defines the sign of its flow. Edges may be repeated; an edge from a node to itself has no
// effect.
class Graph {
 public:
  struct Arc {
    std::int32_t head;
    std::int32_t reverse;  // the arc from the head back
  };

  // Throws InvalidArgument where an edge names a node that does not exist.
  Graph(Index nodes, std::vector<GraphEdge> edges);

  Index nodes() const { return static_cast<Index>(first_arc_.size()) - 1; }
  const std::vector<GraphEdge>& edges() const { return edges_; }
  const std::vector<Arc>& arcs() const { return arcs_; }
  std::int32_t first_arc(Index node) const { return first_arc_[node]; }
  std::int32_t end_arc(Index node) const { return first_arc_[node + 1]; }
  // The arc from the tail of an edge to its head.
  std::int32_t arc_of(Index edge) const { return arc_of_[edge]; }
  Index edge_of(std::int32_t arc) const { return edge_of_[arc]; }

 private:
  std::vector<GraphEdge> edges_;
  std::vector<std::int32_t> first_arc_;
  std::vector<std::int32_t> arc_of_;
  std::vector<std::int32_t> edge_of_;
  std::vector<Arc> arcs_;
};

// Neighbours on a grid, its nodes numbered row by row.
std::vector<GraphEdge> grid_edges(Index rows, Index columns);

// The fused lasso on a graph:
//
//   min_b  sum_i w_i (y_i - b_i)^2 / 2 + sum_e c_e |b_tail(e) - b_head(e)|,   w_i >= 0, c_e >= 0.
//
// b is optimal if and only if there is a flow u with
//
//   w_i (y_i - b_i) = sum of u_e leaving i - sum of u_e entering i,   |u_e| <= c_e,
//   u_e = c_e sign(b_tail - b_head) where the ends differ.
struct GraphFit {
  std::vector<Index> component;  // of each node: connected nodes with one value
  Vector value;                  // of each component
  Vector flow;                   // u, one number for each edge

  Index count() const { return value.size(); }
};

// One value per node.
Vector expand(const GraphFit& fit);
// Divide and conquer with minimal cuts (Hochbaum 2001; Chambolle and Darbon 2009). If all nodes of a
// connected set shall have its mean m, the flow has to carry w_i (y_i - m) away from each node. Either a
// maximal flow does so, or a minimal cut, whose edges are full, separates the nodes with values above m from
// the others. Nodes without weight are left out: their signal is not read, and they get one of their optimal
// values. A connected part without any weight gets the mean of all nodes.
GraphFit solve_graph(const Graph& graph, const VectorView& signal, const VectorView& weights,
                     const VectorView& capacities);

// All optimal values of a node without weight, its neighbours being where they are in `values`: the weighted
// medians of theirs. For a node without neighbours the whole line.
std::pair<double, double> graph_interval(const Graph& graph, const VectorView& capacities,
                                         const VectorView& values, Index node);

}  // namespace alo
