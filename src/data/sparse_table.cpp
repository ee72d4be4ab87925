// SPDX-License-Identifier: MIT
#include "data/sparse_table.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "data/identity.hpp"
#include "data/roles.hpp"

namespace alo::data {

namespace {

void refuse_negative_weights(const SparseTable& table, const Vector& weights) {
  for (Index row = 0; row < weights.size(); ++row) {
    if (weights[row] >= 0.0) continue;
    throw InvalidData(fmt::format("{}: the weight of row {} is {}; weights must be zero or more",
                                  table.heading.path, row + 1, weights[row]));
  }
}

}  // namespace

void check_sparse_size(const std::string& path, Index rows, Index columns, std::size_t entries) {
  constexpr Index largest = std::numeric_limits<int>::max();
  constexpr std::size_t always_plausible = 1'000'000;
  constexpr std::size_t plausible_per_entry = 100;
  const Index size = std::max(rows, columns);
  if (size >= largest || entries >= static_cast<std::size_t>(largest)) {
    throw InvalidData(
        fmt::format("{}: {} rows, {} columns and {} entries are more than a sparse matrix can hold "
                    "(2^31 of each)",
                    path, rows, columns, entries));
  }
  if (static_cast<std::size_t>(size) > std::max(always_plausible, plausible_per_entry * entries)) {
    throw InvalidData(
        fmt::format("{}: {} rows and {} columns for only {} entries; correct the index or the size "
                    "that asks for so many",
                    path, rows, columns, entries));
  }
}

SparseMatrix choose_columns(const SparseMatrix& values, const std::vector<Index>& columns) {
  const auto exists = [&](Index column) { return column < values.cols(); };
  Eigen::VectorXi counts = Eigen::VectorXi::Zero(static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (exists(columns[k]))
      counts[static_cast<Index>(k)] = static_cast<int>(values.col(columns[k]).nonZeros());
  }
  SparseMatrix chosen(values.rows(), static_cast<Index>(columns.size()));
  chosen.reserve(counts);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!exists(columns[k])) continue;
    for (SparseMatrix::InnerIterator entry(values, columns[k]); entry; ++entry) {
      chosen.insert(entry.row(), static_cast<Index>(k)) = entry.value();
    }
  }
  chosen.makeCompressed();
  return chosen;
}

Dataset sparse_dataset(SparseTable table, const ReadOptions& options, std::optional<FileResponse> response) {
  const bool has_labels = table.labels.has_value();
  if (has_labels) response = FileResponse{std::move(*table.labels), {}};
  const Roles roles = assign_roles(table.heading, options, !response.has_value());
  const SparseMatrix& values = table.values;
  Dataset data;
  if (!response) response = FileResponse{values.col(*roles.target), {}};
  set_response(data, std::move(*response), options.response_file);
  data.lines = std::move(table.lines);
  data.weights = roles.weights ? Vector(values.col(*roles.weights)) : Vector(Vector::Ones(values.rows()));
  data.offset = roles.offset ? Vector(values.col(*roles.offset)) : Vector(Vector::Zero(values.rows()));
  refuse_negative_weights(table, data.weights);
  data.weight_kind = options.weight_kind;
  data.notes = std::move(table.notes);
  if (options.design == DesignKind::triplets || options.design == DesignKind::rank_one) {
    throw InvalidData(fmt::format(
        "{}: --design {} is read from a table with a value in every place, as CSV, and not from a "
        "sparse matrix",
        table.heading.path, options.design == DesignKind::triplets ? "triplets" : "rank-one"));
  }
  if (options.design == DesignKind::identity) {
    use_identity(data, table.heading, roles.predictors);
    return data;
  }
  for (std::size_t k = 0; k < roles.predictors.size(); ++k) {
    // Indices are part of formats that have labels; elsewhere the predictors are counted.
    const Index number = has_labels ? roles.predictors[k] + table.first_index : static_cast<Index>(k) + 1;
    data.column_names.push_back(fmt::format("x{}", number));
    data.sources.push_back({data.column_names.back(), {}, 0.0, false});
  }
  const bool all = static_cast<Index>(roles.predictors.size()) == values.cols();
  data.design = Design(all ? table.values : choose_columns(values, roles.predictors));
  return data;
}

}  // namespace alo::data
