// SPDX-License-Identifier: MIT
#include "alo/structure.hpp"

#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "data/any_table.hpp"

namespace alo {

SparseMatrix read_matrix(const std::string& path) {
  const data::AnyTable any = data::read_any(path, {});
  if (const auto* sparse = std::get_if<data::SparseTable>(&any)) {
    if (!sparse->labels) return sparse->values;
    throw InvalidData(
        fmt::format("{}: expected a matrix, but the rows have labels", data::display_name(path)));
  }
  const auto& table = std::get<data::Table>(any);
  for (Index column = 0; column < table.heading.columns; ++column) {
    if (!table.text_of(column).empty()) {
      const data::TextEntry& entry = table.text_of(column).front();
      throw InvalidData(fmt::format("{}: '{}' is not a number", table.place(entry.row, column), entry.text));
    }
    for (Index row = 0; row < table.rows(); ++row) {
      if (std::isfinite(table.numbers(row, column))) continue;
      throw InvalidData(fmt::format("{}: the value is missing or not finite", table.place(row, column)));
    }
  }
  return table.numbers.sparseView(1.0, 0.0);
}

}  // namespace alo
