// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/dataset.hpp"
#include "alo/read.hpp"
#include "formats/table.hpp"
#include "read/missing.hpp"

namespace alo::data {

// The entries of a matrix that a file names, one per row.
struct Entries {
  MatrixSource source;
  SparseMatrix design;  // n x p1 p2, with a single one in every row
  std::string note;     // on entries that are named twice; empty when there are none
};

// Types the two columns that name entries and adds them to the columns that must not be filled in. Throws
// InvalidData unless there are exactly two.
void add_entry_columns(const Table& table, const std::vector<Index>& columns, UsedColumns& used);

// The entries that these columns name; none may be missing. Rows and columns of the matrix are the
// identifiers that occur, numbers by size or words in byte order. With a shape they are the numbers from 1
// to its sides, and others are refused with their place.
Entries read_entries(const Table& table, const TypedColumn& row, const TypedColumn& column,
                     const std::optional<MatrixShape>& shape);

}  // namespace alo::data
