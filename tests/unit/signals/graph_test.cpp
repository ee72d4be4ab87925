// SPDX-License-Identifier: MIT
#include "signals/graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/error.hpp"
#include "signals/chain.hpp"
#include "unit/signals/random_signal.hpp"

namespace alo {
namespace {

using testing_support::any_signal;
using testing_support::RandomSignal;

struct RandomGraph {
  Graph graph;
  Vector capacities;
};

// A tree with some more edges, some of them double or loops, in one or several parts.
RandomGraph random_graph(const RandomSignal& s) {
  std::mt19937 generator(s.seed + 2);
  std::uniform_real_distribution<double> uniform;
  const auto below = [&](Index count) {
    return static_cast<Index>(uniform(generator) * static_cast<double>(count));
  };
  std::vector<GraphEdge> edges;
  for (Index i = 1; i < s.rows; ++i) {
    if (uniform(generator) < 0.95) edges.push_back({i, below(i)});
  }
  for (Index i = 0; i < s.rows; ++i) edges.push_back({below(s.rows), below(s.rows)});
  const bool equal = uniform(generator) < 0.3;
  Vector capacities(static_cast<Index>(edges.size()));
  for (double& capacity : capacities) {
    capacity = equal ? s.lambda : (uniform(generator) < 0.1 ? 0.0 : 2.0 * s.lambda * uniform(generator));
  }
  return {Graph(s.rows, edges), capacities};
}

double objective(const RandomGraph& g, const Vector& y, const Vector& w, const Vector& b) {
  double sum = 0.0;
  for (Index i = 0; i < y.size(); ++i) sum += 0.5 * w[i] * (y[i] - b[i]) * (y[i] - b[i]);
  for (Index e = 0; e < g.capacities.size(); ++e) {
    const auto [tail, head] = g.graph.edges()[e];
    sum += g.capacities[e] * std::abs(b[tail] - b[head]);
  }
  return sum;
}

// The largest violation of the conditions on the flow.
double violation(const RandomGraph& g, const Vector& y, const Vector& w, const Vector& b,
                 const Vector& flow) {
  Vector left = w.cwiseProduct(y - b);
  double worst = 0.0;
  for (Index e = 0; e < flow.size(); ++e) {
    const auto [tail, head] = g.graph.edges()[e];
    left[tail] -= flow[e];
    left[head] += flow[e];
    const double jump = b[tail] - b[head];
    if (jump != 0.0) worst = std::max(worst, std::abs(flow[e] - std::copysign(g.capacities[e], jump)));
    worst = std::max(worst, std::abs(flow[e]) - g.capacities[e]);
  }
  return std::max(worst, left.lpNorm<Eigen::Infinity>()) / (1.0 + y.lpNorm<Eigen::Infinity>());
}

Vector graph_prox(const Graph& graph, const Vector& signal, double lambda) {
  const auto edges = static_cast<Index>(graph.edges().size());
  return expand(solve_graph(graph, signal, Vector::Ones(signal.size()), Vector::Constant(edges, lambda)));
}

// Sums of some hundreds of numbers of the order of one, in units of the largest.
constexpr double rounding = 1e-11;

RC_GTEST_PROP(Graph, MeetsItsOptimalityConditions, ()) {
  const RandomSignal s = *any_signal(60);
  const RandomGraph g = random_graph(s);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const GraphFit fit = solve_graph(g.graph, y, w, g.capacities);
  RC_ASSERT(violation(g, y, w, expand(fit), fit.flow) <= rounding);
  for (std::size_t e = 0; e < g.graph.edges().size(); ++e) {
    const auto [tail, head] = g.graph.edges()[e];
    if (fit.component[tail] == fit.component[head] || g.capacities[e] == 0.0) continue;
    RC_ASSERT(fit.value[fit.component[tail]] != fit.value[fit.component[head]]);
  }
}

RC_GTEST_PROP(Graph, NoPerturbationIsBetter, ()) {
  const RandomSignal s = *any_signal(12);
  const RandomGraph g = random_graph(s);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_graph(g.graph, y, w, g.capacities));
  const double best = objective(g, y, w, b);
  for (int k = 0; k < 20; ++k) {
    const Vector other = b + std::pow(0.3, k) * Vector::Random(s.rows);
    RC_ASSERT(objective(g, y, w, other) >= best - rounding * (1.0 + best));
  }
}

RC_GTEST_PROP(Graph, OfAChainIsTheChain, ()) {
  RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  std::vector<GraphEdge> edges;
  for (Index i = 0; i + 1 < s.rows; ++i) edges.push_back({i, i + 1});
  const Graph graph(s.rows, edges);
  const GraphFit fit = solve_graph(graph, y, w, Vector::Constant(s.rows - 1, s.lambda));
  const Blocks blocks = solve_chain(y, w, std::span(&s.lambda, 1)).front();
  const Vector on_graph = expand(fit);
  const Vector on_chain = expand(blocks);
  for (Index i = 0; i < s.rows; ++i) {
    if (w[i] == 0.0) continue;
    RC_ASSERT(std::abs(on_graph[i] - on_chain[i]) <= rounding);
    // The blocks are the same too. Without a penalty equal neighbours are one block of a chain, but not
    // connected in a graph.
    const bool begins = std::ranges::binary_search(blocks.first, i);
    const bool parts = i > 0 && w[i - 1] > 0.0 && fit.component[i] != fit.component[i - 1];
    if (s.lambda > 0.0 && i > 0 && w[i - 1] > 0.0) RC_ASSERT(begins == parts);
  }
}

// Names of nodes, directions of edges, and the sign of the signal do not matter.
RC_GTEST_PROP(Graph, PermutedAndScaled, ()) {
  RandomSignal s = *any_signal(40);
  s.left_out = 0.0;
  const RandomGraph g = random_graph(s);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_graph(g.graph, y, w, g.capacities));
  std::vector<GraphEdge> edges = g.graph.edges();
  for (GraphEdge& edge : edges) edge = {s.rows - 1 - edge.head, s.rows - 1 - edge.tail};
  std::ranges::reverse(edges);
  const Vector turned = expand(
      solve_graph(Graph(s.rows, edges), -1e3 * y.reverse(), 7.0 * w.reverse(), 7e3 * g.capacities.reverse()));
  RC_ASSERT((turned.reverse() + 1e3 * b).lpNorm<Eigen::Infinity>() <= 1e4 * rounding);
}

RC_GTEST_PROP(Graph, RowsLeftOutAreNotRead, ()) {
  const RandomSignal s = *any_signal(40);
  const RandomGraph g = random_graph(s);
  Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_graph(g.graph, y, w, g.capacities));
  for (Index i = 0; i < s.rows; ++i) {
    if (w[i] == 0.0) y[i] = std::numeric_limits<double>::quiet_NaN();
  }
  RC_ASSERT(expand(solve_graph(g.graph, y, w, g.capacities)) == b);
}

RC_GTEST_PROP(Graph, IntervalOfANodeLeftOut, ()) {
  RandomSignal s = *any_signal(30);
  s.left_out = 0.0;
  s.lambda = *rc::gen::element(0.1, 0.5);
  const RandomGraph g = random_graph(s);
  const Vector y = s.signal();
  Vector w = s.row_weights();
  const Index node = *rc::gen::inRange<Index>(0, s.rows);
  w[node] = 0.0;
  Vector b = expand(solve_graph(g.graph, y, w, g.capacities));
  const double best = objective(g, y, w, b);
  const auto [low, high] = graph_interval(g.graph, g.capacities, b, node);
  if (std::isinf(low) && std::isinf(high)) {  // no edge bounds it
    b[node] += 1.0;
    RC_ASSERT(objective(g, y, w, b) <= best + rounding * (1.0 + best));
    return;
  }
  RC_ASSERT(low <= b[node] + rounding && b[node] <= high + rounding);
  for (const double share : {0.0, 0.5, 1.0}) {
    b[node] = low + share * (high - low);
    RC_ASSERT(objective(g, y, w, b) <= best + rounding * (1.0 + best));
  }
}

TEST(Graph, IntervalEndsWhereTheObjectiveRises) {
  const Graph star(4, {{0, 1}, {2, 0}, {0, 3}});
  const Vector values{{0.0, 1.0, 5.0, 9.0}};
  const auto [low, high] = graph_interval(star, Vector{{1.0, 1.0, 2.0}}, values, 0);
  EXPECT_EQ(low, 5.0);
  EXPECT_EQ(high, 9.0);
  EXPECT_EQ(graph_interval(star, Vector{{1.0, 1.0, 1.0}}, values, 0).first, 5.0);
  EXPECT_EQ(graph_interval(star, Vector{{1.0, 1.0, 1.0}}, values, 0).second, 5.0);
}

TEST(Graph, SmallestGraphs) {
  EXPECT_EQ(graph_prox(Graph(0, {}), Vector(), 1.0).size(), 0);
  EXPECT_EQ(graph_prox(Graph(1, {}), Vector{{3.0}}, 1.0), (Vector{{3.0}}));
  EXPECT_TRUE(graph_prox(Graph(2, {{0, 1}}), Vector{{0.0, 4.0}}, 1.0).isApprox(Vector{{1.0, 3.0}}, 1e-15));
  EXPECT_THAT(
      [] {
        Graph(2, {{0, 2}});
      },
      testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("2 nodes")));
}

TEST(Graph, HugeLambdaIsTheMeanOfEachPart) {
  const Graph graph(5, {{0, 1}, {1, 2}, {3, 4}});
  const Vector y{{1.0, 2.0, 6.0, -1.0, 3.0}};
  const Vector w{{1.0, 1.0, 2.0, 1.0, 3.0}};
  for (const double lambda : {1e3, 1e30, std::numeric_limits<double>::infinity()}) {
    const GraphFit fit = solve_graph(graph, y, w, Vector::Constant(3, lambda));
    ASSERT_EQ(fit.count(), 2);
    EXPECT_TRUE(expand(fit).isApprox(Vector{{3.75, 3.75, 3.75, 2.0, 2.0}}, 1e-15));
  }
}

TEST(Graph, GridOfOneColumnIsAChain) {
  const RandomSignal s{.rows = 50};
  const Vector on_grid = graph_prox(Graph(50, grid_edges(50, 1)), s.signal(), 0.7);
  EXPECT_TRUE(on_grid.isApprox(chain_prox(s.signal(), 0.7), 1e-13));
  EXPECT_EQ(grid_edges(3, 4).size(), 3u * 3u + 2u * 4u);
}

TEST(Graph, Grid) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 60 * 60};
  const Vector y = s.signal();
  const Vector w = Vector::Ones(s.rows);
  for (const double lambda : {0.05, 0.5, 5.0}) {
    const std::vector<GraphEdge> edges = grid_edges(60, 60);
    const RandomGraph g{Graph(s.rows, edges), Vector::Constant(static_cast<Index>(edges.size()), lambda)};
    const GraphFit fit = solve_graph(g.graph, y, w, g.capacities);
    EXPECT_LE(violation(g, y, w, expand(fit), fit.flow), rounding);
  }
}

}  // namespace
}  // namespace alo
