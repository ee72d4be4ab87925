// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "alo/signal_patterns.hpp"
#include "penalties/analysis/blocks.hpp"
#include "signals/graph.hpp"

namespace alo {

// Signals whose terms are the differences along the edges of a graph.
std::unique_ptr<const SignalPatterns> graph_signals(std::shared_ptr<const Graph> graph);

// The connected components of a graph without the edges in `cut`, whose numbers rise. Numbers beyond those of
// the edges are ignored.
BlockNumbers components(const Graph& graph, const std::vector<Index>& cut);

}  // namespace alo
