// SPDX-License-Identifier: MIT
#include "read/triplets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/sparse_table.hpp"

namespace alo::data {

namespace {

// One side of the matrix: the names of its rows (or columns), and the position of each row of the file
// among them.
struct Side {
  std::vector<std::string> names;
  std::vector<Index> places;
};

[[noreturn]] void refuse_id(const Table& table, const TypedColumn& typed, Index row, std::string_view id,
                            const std::string& expected, std::vector<Hint> hints = {}) {
  throw InvalidData(
      fmt::format("{}: '{}' names no {}", table.place(row, typed.column), excerpt(id), expected),
      std::move(hints));
}

// Positions 1 to `count`.
Side numbered_side(const Table& table, const TypedColumn& typed, Index count) {
  const std::string expected =
      fmt::format("place of the matrix; with its shape given they are 1 to {}", count);
  if (typed.is_text) refuse_id(table, typed, 0, typed.words.front(), expected, {{Setting::shape}});
  Side side;
  for (Index row = 0; row < table.rows(); ++row) {
    const double id = table.numbers(row, typed.column);
    const bool exists = id >= 1 && id <= static_cast<double>(count) && id == std::floor(id);
    if (!exists) refuse_id(table, typed, row, fmt::format("{}", id), expected, {{Setting::shape}});
    side.places.push_back(static_cast<Index>(id) - 1);
  }
  for (Index place = 0; place < count; ++place) side.names.push_back(std::to_string(place + 1));
  return side;
}

// The distinct identifiers in rising order; `places` receives the position of each row among them.
template <class Id>
std::vector<Id> levels_of(const std::vector<Id>& ids, std::vector<Index>& places) {
  std::vector<Id> levels = ids;
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (const Id& id : ids) {
    places.push_back(std::lower_bound(levels.begin(), levels.end(), id) - levels.begin());
  }
  return levels;
}

Side side_of(const Table& table, const TypedColumn& typed) {
  Side side;
  if (typed.is_text) {
    side.names = levels_of(typed.words, side.places);
    return side;
  }
  std::vector<double> ids;
  for (Index row = 0; row < table.rows(); ++row) {
    const double id = table.numbers(row, typed.column);
    if (id != std::floor(id)) {
      refuse_id(table, typed, row, fmt::format("{}", id),
                "row or column of a matrix: whole numbers and words do; the columns of the file are row, "
                "column and value");
    }
    ids.push_back(id);
  }
  for (const double id : levels_of(ids, side.places)) side.names.push_back(fmt::format("{}", id));
  return side;
}

void check_size(const Table& table, const Side& rows, const Side& columns) {
  constexpr auto largest = static_cast<double>(std::numeric_limits<int>::max());
  if (static_cast<double>(rows.names.size()) * static_cast<double>(columns.names.size()) < largest) return;
  throw InvalidData(fmt::format("{}: a matrix of {} x {} has more entries than can be held (2^31)",
                                table.heading.path, rows.names.size(), columns.names.size()));
}

// "2 rows name an entry again, the first of them row 9 ..."
std::string note_repeated(const Table& table, const std::vector<Index>& cells) {
  std::vector<Index> order(cells.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto cell = [&cells](Index row) { return cells[static_cast<std::size_t>(row)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return cell(a) < cell(b); });
  Index count = 0;
  Index first = table.rows();
  Index original = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (cell(order[k]) != cell(order[k - 1])) continue;
    ++count;
    if (order[k] >= first) continue;
    first = order[k];
    original = order[k - 1];
  }
  if (count == 0) return "";
  return fmt::format(
      "{} row{} an entry that an earlier one names, as row {} the one of row {}; each counts as an "
      "observation of its own",
      count, count == 1 ? " names" : "s name", table.line(first), table.line(original));
}

std::string field_name(const Heading& heading, Index column) {
  return heading.has_names() ? heading.names[static_cast<std::size_t>(column)] : "";
}

}  // namespace

void add_entry_columns(const Table& table, const std::vector<Index>& columns, UsedColumns& used) {
  if (columns.size() != 2) {
    throw InvalidData(
        fmt::format(
            "{}: triplets have two columns beside the target, the row and the column of an entry, but "
            "here are {}; leave others out",
            table.heading.path, columns.size()),
        {{Setting::drop}});
  }
  for (const Index column : columns) used.others.push_back(type_column(table, column));
}

Entries read_entries(const Table& table, const TypedColumn& row, const TypedColumn& column,
                     const std::optional<MatrixShape>& shape) {
  Side rows = shape ? numbered_side(table, row, shape->rows) : side_of(table, row);
  Side columns = shape ? numbered_side(table, column, shape->columns) : side_of(table, column);
  check_size(table, rows, columns);
  const auto width = static_cast<Index>(columns.names.size());
  std::vector<Index> cells;
  std::vector<Triplet> ones;
  for (std::size_t i = 0; i < rows.places.size(); ++i) {
    cells.push_back(rows.places[i] * width + columns.places[i]);
    ones.emplace_back(static_cast<int>(i), static_cast<int>(cells.back()), 1.0);
  }
  Entries entries;
  entries.note = note_repeated(table, cells);
  entries.design.resize(table.rows(), static_cast<Index>(rows.names.size()) * width);
  entries.design.setFromTriplets(ones.begin(), ones.end());
  entries.source.row_names = std::move(rows.names);
  entries.source.column_names = std::move(columns.names);
  entries.source.row_field = field_name(table.heading, row.column);
  entries.source.column_field = field_name(table.heading, column.column);
  return entries;
}

}  // namespace alo::data
