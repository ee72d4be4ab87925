// SPDX-License-Identifier: MIT
#include "formats/typed_column.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo::data {

namespace {

// To leave a column out, by its name or position.
Hint drop_hint(const Table& table, Index column) {
  return {Setting::drop, table.heading.has_names() ? table.heading.names[static_cast<std::size_t>(column)]
                                                   : fmt::format("{}", column + 1)};
}

bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  return comma != std::string_view::npos &&
         text.find_first_not_of("0123456789,.-+ ") == std::string_view::npos;
}

void refuse_infinite(const Table& table, Index column) {
  const auto values = table.numbers.col(column);
  for (Index row = 0; row < table.rows(); ++row) {
    if (std::isinf(values[row])) {
      throw InvalidData(
          fmt::format("{}: the value is not finite; correct it, write NA if it is missing, or leave "
                      "the column out",
                      table.place(row, column)),
          {drop_hint(table, column)});
    }
  }
}

}  // namespace

std::string excerpt(std::string_view text) {
  // Characters of the excerpt: it fits into one line of a message.
  constexpr std::size_t longest = 40;
  return fmt::format("{}{}", text.substr(0, longest), text.size() > longest ? "..." : "");
}

bool TypedColumn::is_missing(const Table& table, Index row) const {
  return is_text ? words[static_cast<std::size_t>(row)].empty() : std::isnan(table.numbers(row, column));
}

void refuse_word(const Table& table, Index column, const TextEntry& entry) {
  throw InvalidData(
      fmt::format(
          "{}: '{}' is not a number{}; correct it, write NA if it is missing, or leave the column out",
          table.place(entry.row, column), excerpt(entry.text),
          has_decimal_comma(entry.text) ? " (write decimals with a point)" : ""),
      {drop_hint(table, column)});
}

std::vector<std::string> words_of(const Table& table, Index column) {
  std::vector<std::string> words(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row) {
    const double value = table.numbers(row, column);
    if (!std::isnan(value)) words[static_cast<std::size_t>(row)] = fmt::format("{}", value);
  }
  for (const TextEntry& entry : table.text_of(column))
    words[static_cast<std::size_t>(entry.row)] = entry.text;
  return words;
}

std::vector<std::string> find_levels(const Table& table, Index column,
                                     const std::vector<std::string>& words) {
  std::set<std::string> levels;
  for (const std::string& word : words) {
    if (!word.empty()) levels.insert(word);
    if (levels.size() > level_limit) {
      throw InvalidData(
          fmt::format("{}, {}: text with more than {} different values ('{}', '{}', ...) cannot be "
                      "used; leave the column out, or group its values",
                      table.heading.path, table.heading.label(column), level_limit, excerpt(*levels.begin()),
                      excerpt(*std::next(levels.begin()))),
          {drop_hint(table, column)});
    }
  }
  return {levels.begin(), levels.end()};
}

TypedColumn type_column(const Table& table, Index column) {
  const auto& text = table.text_of(column);
  const auto values = table.numbers.col(column);
  const auto word_count = static_cast<Index>(text.size());
  const Index number_count = table.rows() - values.array().isNaN().count();
  if (values.array().isInf().any()) refuse_infinite(table, column);
  TypedColumn typed;
  typed.column = column;
  typed.missing = table.rows() - number_count - word_count;
  typed.is_text = word_count > number_count;
  if (!typed.is_text && word_count > 0) refuse_word(table, column, text.front());
  if (typed.is_text) typed.words = words_of(table, column);
  return typed;
}

TypedColumn type_number_column(const Table& table, Index column, std::string_view role) {
  TypedColumn typed = type_column(table, column);
  if (typed.is_text) {
    const TextEntry& entry = table.text_of(column).front();
    throw InvalidData(
        fmt::format("{}: the {} must be numbers, but this column is text ('{}'); choose another column",
                    table.place(entry.row, column), role, excerpt(entry.text)));
  }
  return typed;
}

}  // namespace alo::data
