// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/structure.hpp"

namespace alo {

// The terms of a graph fused lasso: differences of two coefficients, and possibly every coefficient itself
// with the factor `sparse`.
struct EdgeRows {
  Edges edges;
  double sparse = 0.0;  // zero where there are no single coefficients
};
// The edges of a matrix with such rows. None if it has other rows, or only some of the single coefficients.
std::optional<EdgeRows> find_edge_rows(const SparseMatrix& matrix);

// A right inverse Z, D Z = I, of the differences D along the edges of a forest. Column k is the indicator of
// the nodes on one side of edge k. None if the graph has a cycle, or Z too many entries.
std::optional<SparseMatrix> forest_terms(Index nodes, const Edges& edges);

}  // namespace alo
