// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alo/problem.hpp"

namespace alo {

// Pairs (first, repeat) of columns with equal values in every row.
std::vector<std::pair<Index, Index>> duplicate_columns(const Design& design);

// What a user should know of data that can be fitted, in sentences: columns without
// variation, which are left out, columns that repeat an earlier one, no predictors at
// all, classes of a single row, and a constant response.
std::vector<std::string> inspect(const Problem& problem);

}  // namespace alo
