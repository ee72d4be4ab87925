// SPDX-License-Identifier: MIT
#include "read/sparse_dataset.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"
#include "read/identity.hpp"
#include "read/roles.hpp"

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
    throw InvalidData(
        fmt::format("{}: a design of {} is read from a table with a value in every place, as CSV, and not "
                    "from a sparse matrix",
                    table.heading.path,
                    options.design == DesignKind::triplets ? "triplets" : "rank-one rows"),
        {{Setting::design}});
  }
  if (options.design == DesignKind::identity) {
    use_identity(data, table.heading, roles.predictors);
    return data;
  }
  for (std::size_t k = 0; k < roles.predictors.size(); ++k) {
    // In formats with labels the indices of the file name the columns; in others the predictors are
    // counted.
    const Index number = has_labels ? roles.predictors[k] + table.first_index : static_cast<Index>(k) + 1;
    data.column_names.push_back(fmt::format("x{}", number));
    data.sources.push_back({data.column_names.back(), {}, 0.0, false});
  }
  const bool all = static_cast<Index>(roles.predictors.size()) == values.cols();
  data.design = Design(all ? table.values : choose_columns(values, roles.predictors));
  return data;
}

}  // namespace alo::data
