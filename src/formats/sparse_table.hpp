// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alo/types.hpp"
#include "formats/table.hpp"

namespace alo::data {

// The content of a sparse matrix file; every value is finite.
struct SparseTable {
  Heading heading;  // without names
  SparseMatrix values;
  std::optional<Vector> labels;  // the response, where the format has one
  Index first_index = 1;         // the index that the file gives to the first column
  std::vector<Index> lines;      // the line of each row in the file, where rows are lines
  std::vector<std::string> notes;
};

using Triplet = Eigen::Triplet<double, int>;

// Throws InvalidData for sizes that the index type cannot hold, and for sizes so far beyond the number of
// entries that a mistyped index is the likely reason.
void check_sparse_size(const std::string& path, Index rows, Index columns, std::size_t entries);

// The given columns in that order; a position beyond the last column gives a column of zeros.
SparseMatrix choose_columns(const SparseMatrix& values, const std::vector<Index>& columns);

}  // namespace alo::data
