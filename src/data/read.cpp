// SPDX-License-Identifier: MIT
#include "alo/read.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "data/any_table.hpp"
#include "data/byte_source.hpp"
#include "data/delimited.hpp"
#include "data/npy.hpp"
#include "data/table_dataset.hpp"

namespace alo {

namespace {

void check_response_options(const data::AnyTable& table, const ReadOptions& options) {
  const auto* sparse = std::get_if<data::SparseTable>(&table);
  const bool has_labels = sparse != nullptr && sparse->labels.has_value();
  if (has_labels && !options.target.empty()) {
    throw InvalidData(
        "--target does not fit LIBSVM data: the response is the label at the start of each row");
  }
  if (has_labels && !options.response_file.empty()) {
    throw InvalidData(
        "--response does not fit LIBSVM data: the response is the label at the start of each row");
  }
  if (!options.target.empty() && !options.response_file.empty()) {
    throw InvalidArgument("--target and --response both name the response; give one of them");
  }
}

std::optional<Vector> read_response(const ReadOptions& options, const std::string& path, Index rows) {
  if (options.response_file.empty()) return std::nullopt;
  Vector response = read_vector(options.response_file);
  if (response.size() != rows) {
    throw InvalidData(fmt::format("{} has {} responses, but {} has {} rows", options.response_file,
                                  response.size(), data::display_name(path), rows));
  }
  for (Index row = 0; row < rows; ++row) {
    if (!std::isfinite(response[row])) {
      throw InvalidData(fmt::format("{}: response {} is not finite", options.response_file, row + 1));
    }
  }
  return response;
}

// A file with one column of numbers, or one row.
data::Table read_vector_table(const std::string& path) {
  data::Bytes bytes = data::read_bytes(path);
  if (bytes.view().starts_with("\x93NUMPY")) return data::read_npy(bytes, path, true);
  return data::read_delimited(std::move(bytes), path, FileFormat::automatic, 0);
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  data::AnyTable table = data::read_any(path, options);
  check_response_options(table, options);
  if (auto* sparse = std::get_if<data::SparseTable>(&table)) {
    auto response = read_response(options, path, sparse->values.rows());
    return data::sparse_dataset(std::move(*sparse), options, std::move(response));
  }
  auto& dense = std::get<data::Table>(table);
  auto response = read_response(options, path, dense.rows());
  return data::table_dataset(std::move(dense), options, std::move(response));
}

Vector read_vector(const std::string& path) {
  const data::Table table = read_vector_table(path);
  const Index columns = table.heading.columns;
  if (columns != 1 && table.rows() != 1) {
    throw InvalidData(
        fmt::format("{}: expected one column or one row of numbers, found {} rows and {} columns",
                    table.heading.path, table.rows(), columns));
  }
  if (table.rows() == 0) throw InvalidData(fmt::format("{}: there is no number in it", table.heading.path));
  for (Index column = 0; column < columns; ++column) {
    if (!table.text_of(column).empty()) {
      const data::TextEntry& entry = table.text_of(column).front();
      throw InvalidData(fmt::format("{}: '{}' is not a number", table.place(entry.row, column), entry.text));
    }
    for (Index row = 0; row < table.rows(); ++row) {
      if (!std::isnan(table.numbers(row, column))) continue;
      throw InvalidData(fmt::format("{}: the value is missing", table.place(row, column)));
    }
  }
  return columns == 1 ? Vector(table.numbers.col(0)) : Vector(table.numbers.row(0).transpose());
}

}  // namespace alo
