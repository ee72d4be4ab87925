// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alo/types.hpp"
#include "formats/table.hpp"

namespace alo::data {

// A file of a sparse matrix, every value finite.
struct SparseTable {
  Heading heading;  // without names
  SparseMatrix values;
  std::optional<Vector> labels;  // the response, where the format has one
  Index first_index = 1;         // what the file calls the first column
  std::vector<Index> lines;      // line of the file of each row, where rows are lines
  std::vector<std::string> notes;
};

using Triplet = Eigen::Triplet<double, int>;

// Refuses sizes that no index type holds, and sizes so far beyond the number of
// entries that a mistyped index is the likely reason.
void check_sparse_size(const std::string& path, Index rows, Index columns, std::size_t entries);

// The given columns in that order; a position past the last column is a column of zeros.
SparseMatrix choose_columns(const SparseMatrix& values, const std::vector<Index>& columns);

}  // namespace alo::data
