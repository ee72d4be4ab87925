// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alo/read.hpp"
#include "formats/table.hpp"

namespace alo::data {

// What each column of a file is for.
struct Roles {
  std::optional<Index> target;
  std::optional<Index> weights;
  std::optional<Index> offset;
  std::vector<Index> predictors;  // rising
};

// The column that `reference` means: a name, else a position from 1. `option` is
// named in the message when there is none.
Index find_column(const Heading& heading, const std::string& reference, std::string_view option);

// Takes out --target (the last column that has no other use, unless given),
// --weights, --offset and --drop; the rest are predictors. With `has_target`
// false, no column is the response.
Roles assign_roles(const Heading& heading, const ReadOptions& options, bool has_target);

// Names of the predictors: the file's, or x1, x2, ... counted over the predictors.
std::vector<std::string> predictor_names(const Heading& heading, const std::vector<Index>& predictors);

}  // namespace alo::data
