// SPDX-License-Identifier: MIT
#include "alo/read.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/any_table.hpp"
#include "formats/byte_source.hpp"
#include "read/response.hpp"
#include "read/sparse_dataset.hpp"
#include "read/table_dataset.hpp"

namespace alo {

namespace {

void check_response_options(const data::AnyTable& table, const ReadOptions& options) {
  const auto* sparse = std::get_if<data::SparseTable>(&table);
  const bool has_labels = sparse != nullptr && sparse->labels.has_value();
  if (has_labels && !options.target.empty()) {
    throw InvalidData(
        "LIBSVM data have no column for a target: the response is the label at the start of each row",
        {{Setting::target}});
  }
  if (has_labels && !options.response_file.empty()) {
    throw InvalidData(
        "LIBSVM data take no response from another file: it is the label at the start of each row",
        {{Setting::response}});
  }
  if (!options.target.empty() && !options.response_file.empty()) {
    throw InvalidArgument("a target column and a response file both name the response; give one of them",
                          {{Setting::target}, {Setting::response}});
  }
}

void check_matrix_options(const ReadOptions& options) {
  if (options.design != DesignKind::rank_one) return;
  if (options.left_file.empty() || options.right_file.empty()) {
    throw InvalidArgument(
        "a rank-one design has a row a and a row b for every observation, in files of their own: name the "
        "left and the right one",
        {{Setting::left}, {Setting::right}});
  }
  if (options.missing != MissingPolicy::refuse) {
    throw InvalidArgument(
        "missing values are not treated in a rank-one design, where rows of several files belong together; "
        "fill or leave them out in all of the files",
        {{Setting::missing}});
  }
}

std::optional<data::FileResponse> read_response(const ReadOptions& options, const std::string& path,
                                                Index rows) {
  if (options.response_file.empty()) return std::nullopt;
  data::FileResponse response = data::read_response(options.response_file, rows);
  if (response.rows() != rows) {
    throw InvalidData(fmt::format("{} has {} responses, but {} has {} rows", options.response_file,
                                  response.rows(), data::display_name(path), rows));
  }
  return response;
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  check_matrix_options(options);
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
  return data::vector_of(data::read_column_table(path));
}

}  // namespace alo
