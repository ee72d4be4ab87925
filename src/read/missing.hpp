// SPDX-License-Identifier: MIT
#pragma once

#include "alo/read.hpp"
#include "formats/typed_column.hpp"
#include "read/response.hpp"
#include "read/roles.hpp"

namespace alo::data {

// The columns of a table that are used, with their types.
struct UsedColumns {
  std::vector<TypedColumn> predictors;
  std::vector<TypedColumn> others;  // response, weights, offset
};

// An entry of the table that was missing and holds the mean of its column.
struct FilledCell {
  Index row;
  Index column;
};

// Applies --missing to the used columns: throws InvalidData with the first place and the count, or removes
// rows from table, columns and `response`, or replaces missing numbers of predictors by the mean of their
// column. A note in table.notes says what was done.
std::vector<FilledCell> treat_missing(Table& table, UsedColumns& columns,
                                      std::optional<FileResponse>& response, MissingPolicy policy);

}  // namespace alo::data
