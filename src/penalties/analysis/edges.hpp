// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Rows with a difference of two coefficients, or with one coefficient and the same factor in all of them.
struct Edges {
  std::vector<std::pair<Index, Index>> list;
  double sparse = 0.0;
};
// None where a matrix has other rows, or only some of the single coefficients.
std::optional<Edges> find_edges(const SparseMatrix& matrix);

// Z with D Z = I for the differences D along the edges of a graph without cycles: of every edge the indicator
// of one of the two sides that it joins. None where there are cycles, or too many entries.
std::optional<SparseMatrix> forest_terms(Index nodes, const std::vector<std::pair<Index, Index>>& edges);

}  // namespace alo
