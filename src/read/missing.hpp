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

// Applies the policy to the used columns: throws InvalidData with the first place and
// the count, or takes rows out of table, columns and `response`, or fills the
// predictors' numbers with the mean of their column. Says what it did in table.notes.
std::vector<FilledCell> treat_missing(Table& table, UsedColumns& columns,
                                      std::optional<FileResponse>& response, MissingPolicy policy);

}  // namespace alo::data
