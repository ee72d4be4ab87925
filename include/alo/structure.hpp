// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Relations between coefficients that a penalty may use: which ones are neighbours and which form a group.

// Pairs of coefficients, counted from 0.
using Edges = std::vector<std::pair<Index, Index>>;

// The edges of a grid whose nodes are numbered row by row: each node is joined with its right and its lower
// neighbour.
Edges edges_of_grid(Index rows, Index columns);

// Reads an edge list, one pair per line; a node is given by the name of its column or by its number from 1.
// A first line with two other words is taken as a heading, and a repeated pair counts once. Throws
// InvalidData that names the line.
Edges read_edges(const std::string& path, const std::vector<std::string>& column_names);

// The group of every coefficient. Groups are numbered from 0 in the order of their first members.
struct Groups {
  std::vector<Index> of_coefficient;
  Index alone = 0;  // number of coefficients in no group; each of them forms its own
};

// Reads the group of each coefficient, a number or a word: one per line, or all in one row. A blank or NA
// means no group. A first line of text is taken as a heading where one line per coefficient follows it.
// Throws InvalidData for another number of lines and for a line with several groups.
Groups read_groups(const std::string& path, Index columns);

// Reads a matrix of numbers from a file in any format that a design may have, without a response. Throws
// InvalidData for anything that is not a number.
SparseMatrix read_matrix(const std::string& path);

}  // namespace alo
