// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/dataset.hpp"
#include "alo/read.hpp"
#include "formats/table.hpp"
#include "read/missing.hpp"

namespace alo::data {

// The entries of a matrix that a file names, one in every row.
struct Entries {
  MatrixSource source;
  SparseMatrix design;  // n x p1 p2, a one in every row
  std::string note;     // about entries that are named twice; empty: none is
};

// Types the two columns that name entries and adds them to those that cannot be filled in. Throws InvalidData
// unless there are two.
void add_entry_columns(const Table& table, const std::vector<Index>& columns, UsedColumns& used);

// The entries by these columns, of which none is missing. Rows and columns of the matrix are those that
// occur, numbers before the later ones and words in byte order, or with a shape the numbers from 1 to its
// sides: others are refused with their place.
Entries read_entries(const Table& table, const TypedColumn& row, const TypedColumn& column,
                     const std::optional<MatrixShape>& shape);

}  // namespace alo::data
