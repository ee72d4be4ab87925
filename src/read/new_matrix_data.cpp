// SPDX-License-Identifier: MIT
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/read.hpp"
#include "formats/any_table.hpp"
#include "formats/byte_source.hpp"
#include "formats/typed_column.hpp"
#include "read/rank_one.hpp"
#include "read/roles.hpp"

namespace alo {

namespace {

// The columns of a file that name the entries to be predicted.
struct EntryColumns {
  Index row = 0;
  Index column = 1;
  std::optional<Index> offset;
};

EntryColumns find_columns(const data::Heading& heading, const MatrixSource& source,
                          const ReadOptions& options) {
  EntryColumns found;
  if (!options.offset.empty()) found.offset = data::find_column(heading, options.offset, data::offset_use);
  if (heading.has_names() && !source.row_field.empty()) {
    found.row = data::find_column(heading, source.row_field, {"name the row of an entry", {}});
    found.column = data::find_column(heading, source.column_field, {"name the column of an entry", {}});
    return found;
  }
  std::vector<Index> free;
  for (Index k = 0; k < heading.columns; ++k) {
    if (k != found.offset) free.push_back(k);
  }
  if (free.size() < 2) {
    throw InvalidData(fmt::format("{}: the row and the column of an entry take two columns, but there {} {}",
                                  heading.path, free.size() == 1 ? "is" : "are", free.size()));
  }
  found.row = free[0];
  found.column = free[1];
  return found;
}

std::vector<Index> find_places(const data::Table& table, Index column, const std::vector<std::string>& names,
                               std::string_view what) {
  std::unordered_map<std::string_view, Index> known;
  for (std::size_t k = 0; k < names.size(); ++k) known.emplace(names[k], static_cast<Index>(k));
  std::vector<Index> places;
  const std::vector<std::string> words = data::words_of(table, column);
  for (std::size_t row = 0; row < words.size(); ++row) {
    const auto found = known.find(words[row]);
    if (found == known.end()) {
      throw InvalidData(
          fmt::format("{}: there is no {} '{}' in the model's matrix; it has {}, from '{}' to '{}'",
                      table.place(static_cast<Index>(row), column), what, data::excerpt(words[row]),
                      names.size(), names.front(), names.back()));
    }
    places.push_back(found->second);
  }
  return places;
}

Vector read_offset(const data::Table& table, const std::optional<Index>& column) {
  if (!column) return Vector::Zero(table.rows());
  if (!table.text_of(*column).empty()) data::refuse_word(table, *column, table.text_of(*column).front());
  Vector offset = table.numbers.col(*column);
  for (Index row = 0; row < offset.size(); ++row) {
    if (std::isfinite(offset[row])) continue;
    throw InvalidData(fmt::format("{}: the offset is missing or not finite", table.place(row, *column)));
  }
  return offset;
}

data::Table read_table(const std::string& path, const ReadOptions& options) {
  data::AnyTable any = data::read_any(path, options);
  if (auto* table = std::get_if<data::Table>(&any)) return std::move(*table);
  throw InvalidData(
      fmt::format("{}: expected a table, as CSV, and not a sparse matrix", data::display_name(path)));
}

NewData read_new_entries(const data::Table& table, const MatrixSource& source, const ReadOptions& options) {
  const EntryColumns columns = find_columns(table.heading, source, options);
  const std::vector<Index> rows = find_places(table, columns.row, source.row_names, "row");
  const std::vector<Index> others = find_places(table, columns.column, source.column_names, "column");
  const auto width = static_cast<Index>(source.column_names.size());
  std::vector<data::Triplet> ones;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ones.emplace_back(static_cast<int>(i), static_cast<int>(rows[i] * width + others[i]), 1.0);
  }
  SparseMatrix design(table.rows(), static_cast<Index>(source.row_names.size()) * width);
  design.setFromTriplets(ones.begin(), ones.end());
  return {Design(design), read_offset(table, columns.offset)};
}

void check_names(const std::string& file, const std::vector<std::string>& names,
                 const std::vector<std::string>& expected) {
  if (names == expected) return;
  if (names.size() != expected.size()) {
    throw InvalidData(fmt::format("{} has {} columns, but the model was fitted to {}",
                                  data::display_name(file), names.size(), expected.size()));
  }
  const auto differs = std::mismatch(names.begin(), names.end(), expected.begin());
  throw InvalidData(
      fmt::format("{} has the column '{}' where the model has '{}'; give them in the same order",
                  data::display_name(file), *differs.first, *differs.second));
}

NewData read_new_factors(const std::string& path, const MatrixSource& source, const ReadOptions& options) {
  if (options.left_file.empty() || options.right_file.empty()) {
    throw InvalidArgument(
        "the model was fitted to a rank-one design and needs new rows a and b: name the left and the right "
        "file",
        {{Setting::left}, {Setting::right}});
  }
  const bool has_table = !path.empty();
  std::optional<data::Table> table;
  if (has_table) table = read_table(path, options);
  data::Factors factors = table
                              ? data::read_factors(options.left_file, options.right_file, table->rows(), path)
                              : data::read_factors(options.left_file, options.right_file);
  check_names(options.left_file, factors.source.row_names, source.row_names);
  check_names(options.right_file, factors.source.column_names, source.column_names);
  Vector offset = Vector::Zero(factors.left.rows());
  if (!options.offset.empty()) {
    if (!table) {
      throw InvalidData(
          fmt::format("the model has an offset, '{}': give the file that has it", options.offset));
    }
    offset = read_offset(*table, data::find_column(table->heading, options.offset, data::offset_use));
  }
  return {Design(data::rank_one_rows(factors)), std::move(offset)};
}

}  // namespace

NewData read_new_data(const std::string& path, const MatrixSource& source, const ReadOptions& options) {
  if (source.kind == MatrixRows::rank_one) return read_new_factors(path, source, options);
  return read_new_entries(read_table(path, options), source, options);
}

}  // namespace alo
