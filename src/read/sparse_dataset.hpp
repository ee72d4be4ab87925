// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/dataset.hpp"
#include "alo/read.hpp"
#include "formats/sparse_table.hpp"
#include "read/response.hpp"

namespace alo::data {

// Assigns the roles of the columns and keeps the predictors sparse. Absent entries are zeros, so that
// nothing is missing.
Dataset sparse_dataset(SparseTable table, const ReadOptions& options, std::optional<FileResponse> response);

}  // namespace alo::data
