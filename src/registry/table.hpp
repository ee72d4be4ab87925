// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alo/registry.hpp"

namespace alo {

// Throws InvalidArgument that says the name is unknown, suggests the nearest one and lists all.
[[noreturn]] void refuse_name(std::string_view kind, std::string_view name,
                              const std::vector<std::string>& known);

// For tables whose rows have a member `entry`.
template <class Table>
const typename Table::value_type& find_row(const Table& table, std::string_view kind, std::string_view name) {
  std::vector<std::string> known;
  for (const auto& row : table) {
    if (row.entry.name == name) return row;
    known.push_back(row.entry.name);
  }
  refuse_name(kind, name, known);
}

template <class Table>
std::vector<ModelEntry> entries_of(const Table& table) {
  std::vector<ModelEntry> result;
  for (const auto& row : table) result.push_back(row.entry);
  return result;
}

}  // namespace alo
