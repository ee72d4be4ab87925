// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alo/message.hpp"
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

// The role of a column in the words of messages, as "be the weights", and the setting that gave it, if any.
struct ColumnUse {
  std::string_view words;
  std::optional<Setting> setting;
};
inline constexpr ColumnUse offset_use = {"be the offset", Setting::offset};

// The column that `reference` means: a name, else a position from 1. Throws InvalidData, with what it
// is to do, when there is none.
Index find_column(const Heading& heading, const std::string& reference, const ColumnUse& use);

// Takes out the target (the last column that has no other use, unless given), the
// weights, the offset and the columns to leave out; the rest are predictors. With
// `has_target` false, no column is the response.
Roles assign_roles(const Heading& heading, const ReadOptions& options, bool has_target);

// The names of the predictors: those of the file, or x1, x2, ... counted over the predictors.
std::vector<std::string> predictor_names(const Heading& heading, const std::vector<Index>& predictors);

}  // namespace alo::data
