// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "alo/read.hpp"
#include "formats/sparse_table.hpp"
#include "formats/table.hpp"

namespace alo::data {

using AnyTable = std::variant<Table, SparseTable>;

// Reads a file of any format: the one asked for, else the one of its extension (.gz may follow), else by
// its first bytes, else delimited text. `first_index` is as in read_libsvm.
AnyTable read_any(const std::string& path, const ReadOptions& options,
                  std::optional<Index> first_index = std::nullopt);

}  // namespace alo::data
