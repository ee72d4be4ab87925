// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/dataset.hpp"
#include "alo/read.hpp"
#include "formats/table.hpp"
#include "formats/typed_column.hpp"
#include "read/response.hpp"

namespace alo::data {

// Assigns the roles of the columns, treats missing entries as the options say, and encodes text. `response`
// is given when it comes from a file of its own.
Dataset table_dataset(Table table, const ReadOptions& options, std::optional<FileResponse> response);

// The names of the design columns that a source makes.
std::vector<std::string> encoded_names(const ColumnSource& source);

// Writes the indicator columns of one text column: entry 1 in the column of the row's level. Every word
// must be a level of the source; `target` has one column per encoded name.
void encode_words(const ColumnSource& source, const std::vector<std::string>& words,
                  Eigen::Ref<Matrix> target);

}  // namespace alo::data
