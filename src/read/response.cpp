// SPDX-License-Identifier: MIT
#include "read/response.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/classes.hpp"
#include "alo/error.hpp"
#include "alo/read.hpp"
#include "formats/delimited.hpp"
#include "formats/npy.hpp"
#include "formats/typed_column.hpp"

namespace alo::data {

namespace {

std::vector<std::string> response_words(const Table& table, Index rows) {
  std::vector<std::string> words = words_of(table, 0);
  if (table.heading.has_names() && table.rows() + 1 == rows) {
    words.insert(words.begin(), table.heading.names.front());
  }
  const auto missing = std::find(words.begin(), words.end(), std::string());
  if (missing != words.end()) {
    throw InvalidData(
        fmt::format("{}: response {} is missing", table.heading.path, missing - words.begin() + 1));
  }
  return words;
}

}  // namespace

Table read_column_table(const std::string& path) {
  Bytes bytes = read_bytes(path);
  if (bytes.view().starts_with("\x93NUMPY")) return read_npy(bytes, path, true);
  return read_delimited(std::move(bytes), path, FileFormat::automatic, 0);
}

Vector vector_of(const Table& table) {
  const Index columns = table.heading.columns;
  if (columns != 1 && table.rows() != 1) {
    throw InvalidData(
        fmt::format("{}: expected one column or one row of numbers, found {} rows and {} columns",
                    table.heading.path, table.rows(), columns));
  }
  if (table.rows() == 0) throw InvalidData(fmt::format("{}: there is no number in it", table.heading.path));
  for (Index column = 0; column < columns; ++column) {
    if (!table.text_of(column).empty()) {
      const TextEntry& entry = table.text_of(column).front();
      throw InvalidData(fmt::format("{}: '{}' is not a number", table.place(entry.row, column), entry.text));
    }
    for (Index row = 0; row < table.rows(); ++row) {
      if (!std::isnan(table.numbers(row, column))) continue;
      throw InvalidData(fmt::format("{}: the value is missing", table.place(row, column)));
    }
  }
  return columns == 1 ? Vector(table.numbers.col(0)) : Vector(table.numbers.row(0).transpose());
}

void FileResponse::keep(const std::vector<Index>& rows) {
  if (!is_text()) {
    numbers = Vector(numbers(rows));
    return;
  }
  std::vector<std::string> kept;
  for (const Index row : rows) kept.push_back(std::move(words[static_cast<std::size_t>(row)]));
  words = std::move(kept);
}

FileResponse read_response(const std::string& path, Index rows) {
  const Table table = read_column_table(path);
  FileResponse response;
  const bool is_column = table.heading.columns == 1;
  if (is_column && 2 * static_cast<Index>(table.text_of(0).size()) > table.rows()) {
    response.words = response_words(table, rows);
  }
  if (!response.is_text()) response.numbers = vector_of(table);
  for (Index row = 0; row < response.numbers.size(); ++row) {
    if (!std::isfinite(response.numbers[row])) {
      throw InvalidData(fmt::format("{}: response {} is not finite", path, row + 1));
    }
  }
  return response;
}

void set_response(Dataset& data, FileResponse response, const std::string& place) {
  if (!response.is_text()) {
    data.response = std::move(response.numbers);
    return;
  }
  std::vector<std::string> classes = response.words;
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  const auto rows = static_cast<Index>(response.words.size());
  if (static_cast<Index>(classes.size()) > class_limit(rows)) {
    throw InvalidData(
        fmt::format("{}: text with {} different values in {} rows ('{}', '{}', ...) cannot be the response: "
                    "there may be {} classes, with two rows each on average; choose another column",
                    place, classes.size(), rows, excerpt(classes[0]), excerpt(classes[1]),
                    largest_class_count),
        {{Setting::target}});
  }
  data.response.resize(rows);
  for (Index row = 0; row < rows; ++row) {
    const std::string& word = response.words[static_cast<std::size_t>(row)];
    data.response[row] =
        static_cast<double>(std::lower_bound(classes.begin(), classes.end(), word) - classes.begin());
  }
  data.classes = std::move(classes);
}

}  // namespace alo::data
