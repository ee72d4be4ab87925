// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alo/problem.hpp"

namespace alo {

// Pairs (first, repeat) of columns with equal values in every row.
std::vector<std::pair<Index, Index>> duplicate_columns(const Design& design);

// Sentences on what a user should know of data that can be fitted: columns without variation (they are left
// out), columns that repeat an earlier one, no predictors at all, classes with a single row, and a constant
// response.
std::vector<std::string> inspect(const Problem& problem);

}  // namespace alo
