// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// What a penalty on more than single coefficients makes of a fit: groups that are not zero, different sizes.
struct Parts {
  std::string title;  // of a column in a table: "groups"
  std::string name;   // "groups not zero"
  std::string words;  // "in 3 of 6 groups"
  Index count = 0;
};
// None with other penalties.
std::optional<Parts> parts_of(const Problem& problem, const Fit& fit);

// The group of a column, counted from 1 in the order in which groups begin; none without groups.
std::optional<Index> group_number(const Problem& problem, Index column);

}  // namespace alo::report
