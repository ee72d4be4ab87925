// SPDX-License-Identifier: MIT
#include "penalties/analysis/edges.hpp"

#include <cmath>

namespace alo {

std::optional<EdgeRows> find_edge_rows(const SparseMatrix& matrix) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(matrix);
  EdgeRows found;
  std::vector<bool> alone(static_cast<std::size_t>(matrix.cols()), false);
  Index singles = 0;
  std::vector<std::pair<Index, double>> entries;  // of one row
  for (Index k = 0; k < rows.rows(); ++k) {
    entries.clear();
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(rows, k); entry; ++entry) {
      if (entry.value() != 0.0) entries.emplace_back(entry.col(), entry.value());
    }
    if (entries.size() == 2 && std::abs(entries[0].second) == 1.0 &&
        entries[0].second == -entries[1].second) {
      found.edges.emplace_back(entries[0].first, entries[1].first);
    } else if (entries.size() == 1 && !alone[static_cast<std::size_t>(entries[0].first)] &&
               (singles == 0 || std::abs(entries[0].second) == found.sparse)) {
      alone[static_cast<std::size_t>(entries[0].first)] = true;
      found.sparse = std::abs(entries[0].second);
      ++singles;
    } else {
      return std::nullopt;
    }
  }
  const bool some_alone = singles > 0 && singles < matrix.cols();
  return some_alone || found.edges.empty() ? std::nullopt : std::optional(found);
}

namespace {

// The most entries of a right inverse, of sixteen bytes each. Only memory and speed depend on it: without the
// inverse a graph is solved for as one with cycles.
constexpr Index most_forest_entries = 1'000'000;

// The nodes of a forest in depth-first order, in which every node is followed by its descendants.
struct RootedForest {
  std::vector<Index> order;
  std::vector<Index> place;   // of a node in the order
  std::vector<Index> size;    // the number of descendants of a node, itself included
  std::vector<Index> parent;  // -1 at a root
};

// None if the graph has a cycle.
std::optional<RootedForest> rooted_forest(Index nodes, const Edges& edges) {
  const auto count = static_cast<std::size_t>(nodes);
  std::vector<std::vector<Index>> neighbors(count);
  for (const auto& [tail, head] : edges) {
    neighbors[static_cast<std::size_t>(tail)].push_back(head);
    neighbors[static_cast<std::size_t>(head)].push_back(tail);
  }
  RootedForest forest{
      {}, std::vector<Index>(count, -1), std::vector<Index>(count, 1), std::vector<Index>(count, -1)};
  Index roots = 0;
  for (Index root = 0; root < nodes; ++root) {
    if (forest.place[static_cast<std::size_t>(root)] >= 0) continue;
    ++roots;
    std::vector<Index> open{root};
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      Index& place = forest.place[static_cast<std::size_t>(node)];
      if (place >= 0) return std::nullopt;
      place = static_cast<Index>(forest.order.size());
      forest.order.push_back(node);
      for (const Index next : neighbors[static_cast<std::size_t>(node)]) {
        if (next == forest.parent[static_cast<std::size_t>(node)]) continue;
        forest.parent[static_cast<std::size_t>(next)] = node;
        open.push_back(next);
      }
    }
  }
  if (static_cast<Index>(edges.size()) + roots != nodes) return std::nullopt;
  for (auto node = forest.order.rbegin(); node != forest.order.rend(); ++node) {
    const Index parent = forest.parent[static_cast<std::size_t>(*node)];
    if (parent < 0) continue;
    forest.size[static_cast<std::size_t>(parent)] += forest.size[static_cast<std::size_t>(*node)];
  }
  return forest;
}

}  // namespace

std::optional<SparseMatrix> forest_terms(Index nodes, const Edges& edges) {
  if (static_cast<Index>(edges.size()) >= nodes) return std::nullopt;
  const auto forest = rooted_forest(nodes, edges);
  if (!forest) return std::nullopt;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [tail, head] = edges[k];
    const bool downwards = forest->parent[static_cast<std::size_t>(head)] == tail;
    const auto below = static_cast<std::size_t>(downwards ? head : tail);
    if (static_cast<Index>(entries.size()) + forest->size[below] > most_forest_entries) return std::nullopt;
    for (Index m = 0; m < forest->size[below]; ++m) {
      const Index node = forest->order[static_cast<std::size_t>(forest->place[below] + m)];
      entries.emplace_back(static_cast<int>(node), static_cast<int>(k), downwards ? 1.0 : -1.0);
    }
  }
  SparseMatrix terms(nodes, static_cast<Index>(edges.size()));
  terms.setFromTriplets(entries.begin(), entries.end());
  return terms;
}

}  // namespace alo
