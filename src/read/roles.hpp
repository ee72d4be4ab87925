// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alo/read.hpp"
#include "formats/table.hpp"

namespace alo::data {

// The role of each column of a file.
struct Roles {
  std::optional<Index> target;
  std::optional<Index> weights;
  std::optional<Index> offset;
  std::vector<Index> predictors;  // ascending
};

// The column that `reference` means: a name, else a position from 1. The message names `option` when there
// is no such column.
Index find_column(const Heading& heading, const std::string& reference, std::string_view option);

// Assigns --target (by default the last column without another role), --weights, --offset and --drop; all
// other columns are predictors. With `has_target` false no column is the response.
Roles assign_roles(const Heading& heading, const ReadOptions& options, bool has_target);

// The names of the predictors: those of the file, or x1, x2, ... counted over the predictors.
std::vector<std::string> predictor_names(const Heading& heading, const std::vector<Index>& predictors);

}  // namespace alo::data
