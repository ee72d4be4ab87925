// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// What penalties know about coefficients beside their size: which ones belong together.

// Pairs of coefficients, counted from 0.
using Edges = std::vector<std::pair<Index, Index>>;

// Neighbours, right and below, of a grid whose places are numbered row by row.
Edges edges_of_grid(Index rows, Index columns);

// Reads an edge list, one pair a line: the name of a column, or a number from 1. A first line with two other
// words is a heading, and a pair that occurs again counts once. Throws InvalidData with the place.
Edges read_edges(const std::string& path, const std::vector<std::string>& column_names);

// The group of every coefficient, counted from 0 by their first member.
struct Groups {
  std::vector<Index> of_coefficient;
  Index alone = 0;  // coefficients without a group, each of which has become one
};

// Reads one number or word per coefficient, one a line or all in one row; a blank or NA is no group. A first
// line of text is a heading where that leaves one line per coefficient. Throws InvalidData for other numbers
// of lines and for several groups in one.
Groups read_groups(const std::string& path, Index columns);

// Reads a matrix of numbers from a file of any format that a design can have and that has no response.
// Throws InvalidData for anything else in it.
SparseMatrix read_matrix(const std::string& path);

}  // namespace alo
