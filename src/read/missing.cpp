// SPDX-License-Identifier: MIT
#include "read/missing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"

namespace alo::data {

namespace {

template <class Visit>
void for_each_column(const UsedColumns& columns, const Visit& visit) {
  for (const TypedColumn& column : columns.predictors) visit(column);
  for (const TypedColumn& column : columns.others) visit(column);
}

Index first_missing_row(const Table& table, const TypedColumn& column) {
  Index row = 0;
  while (!column.is_missing(table, row)) ++row;
  return row;
}

[[noreturn]] void refuse_all(const Table& table, const UsedColumns& columns) {
  Index count = 0;
  Index row = table.rows();
  Index column = table.heading.columns;
  for_each_column(columns, [&](const TypedColumn& typed) {
    count += typed.missing;
    if (typed.missing == 0) return;
    const Index first = first_missing_row(table, typed);
    if (std::pair(first, typed.column) < std::pair(row, column)) {
      row = first;
      column = typed.column;
    }
  });
  throw InvalidData(
      fmt::format("{}: the value is missing{}; leave out such rows, or fill in the column's mean",
                  table.place(row, column),
                  count > 1 ? fmt::format(" (the first of {} missing values)", count) : ""),
      {{Setting::missing, "drop-rows"}, {Setting::missing, "mean"}});
}

std::vector<Index> complete_rows(const Table& table, const UsedColumns& columns) {
  std::vector<bool> complete(static_cast<std::size_t>(table.rows()), true);
  for_each_column(columns, [&](const TypedColumn& typed) {
    if (typed.missing == 0) return;
    for (Index row = 0; row < table.rows(); ++row) {
      if (typed.is_missing(table, row)) complete[static_cast<std::size_t>(row)] = false;
    }
  });
  std::vector<Index> kept;
  for (Index row = 0; row < table.rows(); ++row) {
    if (complete[static_cast<std::size_t>(row)]) kept.push_back(row);
  }
  return kept;
}

void keep_words(TypedColumn& typed, const std::vector<Index>& kept) {
  typed.missing = 0;
  if (!typed.is_text) return;
  std::vector<std::string> words;
  for (const Index row : kept) words.push_back(std::move(typed.words[static_cast<std::size_t>(row)]));
  typed.words = std::move(words);
}

// Keeps the given rows. The text entries of the table are no longer needed and are dropped.
void keep_rows(Table& table, UsedColumns& columns, std::optional<FileResponse>& response,
               const std::vector<Index>& kept) {
  std::vector<Index> lines;
  for (const Index row : kept) lines.push_back(table.line(row));
  table.lines = std::move(lines);
  table.numbers = Matrix(table.numbers(kept, Eigen::all));
  table.text.clear();
  if (response) response->keep(kept);
  for (auto* list : {&columns.predictors, &columns.others}) {
    for (TypedColumn& typed : *list) keep_words(typed, kept);
  }
}

void drop_rows(Table& table, UsedColumns& columns, std::optional<FileResponse>& response) {
  const Index before = table.rows();
  const std::vector<Index> kept = complete_rows(table, columns);
  if (kept.empty()) {
    throw InvalidData(
        fmt::format("{}: every row has a missing value, so none is left; leave out columns, or fill in their "
                    "means",
                    table.heading.path),
        {{Setting::drop}, {Setting::missing, "mean"}});
  }
  keep_rows(table, columns, response, kept);
  const Index dropped = before - table.rows();
  table.notes.push_back(fmt::format("{} of {} rows {} a missing value and {} left out.", dropped, before,
                                    dropped == 1 ? "has" : "have", dropped == 1 ? "was" : "were"));
}

void fill_column(Table& table, const TypedColumn& typed, std::vector<FilledCell>& filled) {
  auto values = table.numbers.col(typed.column);
  const auto present = !values.array().isNaN();
  if (!present.any()) {
    throw InvalidData(fmt::format("{}, {}: every value is missing, so it has no mean; leave the column out",
                                  table.heading.path, table.heading.label(typed.column)),
                      {{Setting::drop}});
  }
  const double mean = present.select(values.array(), 0.0).sum() / static_cast<double>(present.count());
  for (Index row = 0; row < table.rows(); ++row) {
    if (!std::isnan(values[row])) continue;
    values[row] = mean;
    filled.push_back({row, typed.column});
  }
}

std::vector<FilledCell> fill_means(Table& table, const UsedColumns& columns) {
  for (const TypedColumn& typed : columns.others) {
    if (typed.missing == 0) continue;
    throw InvalidData(
        fmt::format("{}: the value is missing, and a response, weight, offset or name of an entry cannot be "
                    "filled in; leave out such rows",
                    table.place(first_missing_row(table, typed), typed.column)),
        {{Setting::missing, "drop-rows"}});
  }
  std::vector<FilledCell> filled;
  std::vector<std::string> counts;
  for (const TypedColumn& typed : columns.predictors) {
    if (typed.missing == 0) continue;
    if (typed.is_text) {
      throw InvalidData(
          fmt::format("{}: the value is missing, and text has no mean; leave out such rows, or the column",
                      table.place(first_missing_row(table, typed), typed.column)),
          {{Setting::missing, "drop-rows"}, {Setting::drop}});
    }
    fill_column(table, typed, filled);
    counts.push_back(fmt::format("{} in {}", typed.missing, table.heading.label(typed.column)));
  }
  table.notes.push_back(
      fmt::format("Missing values were filled with the mean of their column: {}.", fmt::join(counts, ", ")));
  return filled;
}

}  // namespace

std::vector<FilledCell> treat_missing(Table& table, UsedColumns& columns,
                                      std::optional<FileResponse>& response, MissingPolicy policy) {
  Index count = 0;
  for_each_column(columns, [&](const TypedColumn& typed) { count += typed.missing; });
  if (count == 0) return {};
  if (policy == MissingPolicy::refuse) refuse_all(table, columns);
  if (policy == MissingPolicy::mean) return fill_means(table, columns);
  drop_rows(table, columns, response);
  return {};
}

}  // namespace alo::data
