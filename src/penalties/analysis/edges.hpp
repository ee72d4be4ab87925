// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/structure.hpp"
#include "alo/types.hpp"

namespace alo {

// Rows with a difference of two coefficients, or with one coefficient and the same factor in all of them.
struct EdgeRows {
  Edges edges;          // of the differences
  double sparse = 0.0;  // the factor of the single coefficients; zero where there are none
};
// None where a matrix has other rows, or only some of the single coefficients.
std::optional<EdgeRows> find_edge_rows(const SparseMatrix& matrix);

// Z with D Z = I for the differences D along the edges of a graph without cycles: of every edge the indicator
// of one of the two sides that it joins. None where there are cycles, or too many entries.
std::optional<SparseMatrix> forest_terms(Index nodes, const Edges& edges);

}  // namespace alo
