// SPDX-License-Identifier: MIT
#include "formats/table.hpp"

#include <fmt/format.h>

namespace alo::data {

std::string Heading::label(Index column) const {
  return has_names() ? fmt::format("column '{}'", names[static_cast<std::size_t>(column)])
                     : fmt::format("column {}", column + 1);
}

const std::vector<TextEntry>& Table::text_of(Index column) const {
  static const std::vector<TextEntry> none;
  return text.empty() ? none : text[static_cast<std::size_t>(column)];
}

std::string Table::place(Index row, Index column) const {
  return fmt::format("{}, row {}, {}", heading.path, line(row), heading.label(column));
}

}  // namespace alo::data
