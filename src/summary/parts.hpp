// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The structure that a penalty on more than single coefficients gives a fit: groups that are not zero,
// distinct sizes.
struct Parts {
  std::string title;  // of a column in a table: "groups"
  std::string name;   // "groups not zero"
  std::string words;  // "in 3 of 6 groups"
  Index count = 0;
};
// None for other penalties.
std::optional<Parts> parts_of(const Problem& problem, const Fit& fit);

// The number of a column's group, from 1 in the order of first members; none without groups.
std::optional<Index> group_number(const Problem& problem, Index column);

}  // namespace alo::report
