// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The terms of a graph fused lasso: differences of two coefficients, and possibly every coefficient itself
// with the factor `sparse`.
struct Edges {
  std::vector<std::pair<Index, Index>> list;
  double sparse = 0.0;
};
// The edges of a matrix with such rows. None if it has other rows, or only some of the single coefficients.
std::optional<Edges> find_edges(const SparseMatrix& matrix);

// A right inverse Z, D Z = I, of the differences D along the edges of a forest. Column k is the indicator of
// the nodes on one side of edge k. None if the graph has a cycle, or Z too many entries.
std::optional<SparseMatrix> forest_terms(Index nodes, const std::vector<std::pair<Index, Index>>& edges);

}  // namespace alo
