// SPDX-License-Identifier: MIT
#include "read/table_dataset.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "read/identity.hpp"
#include "read/missing.hpp"
#include "read/rank_one.hpp"
#include "read/roles.hpp"
#include "read/triplets.hpp"

namespace alo::data {

namespace {

UsedColumns type_columns(const Table& table, const Roles& roles) {
  UsedColumns columns;
  const auto add_other = [&](const std::optional<Index>& column, std::string_view role) {
    if (column) columns.others.push_back(type_number_column(table, *column, role));
  };
  if (roles.target) columns.others.push_back(type_column(table, *roles.target));
  add_other(roles.weights, "weights");
  add_other(roles.offset, "offset");
  for (const Index column : roles.predictors) columns.predictors.push_back(type_column(table, column));
  return columns;
}

FileResponse target_response(const Table& table, TypedColumn& target) {
  if (target.is_text) return {{}, std::move(target.words)};
  return {table.numbers.col(target.column), {}};
}

// The name of the response in messages.
std::string target_place(const Table& table, const Roles& roles, const ReadOptions& options) {
  if (!roles.target) return options.response_file;
  return fmt::format("{}, {}", table.heading.path, table.heading.label(*roles.target));
}

void refuse_negative_weights(const Table& table, Index column) {
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.numbers(row, column) >= 0.0) continue;
    throw InvalidData(fmt::format("{}: the weight {} is negative; weights must be zero or more",
                                  table.place(row, column), table.numbers(row, column)));
  }
}

// The design where all predictors are numbers: the storage of the table is reused.
Matrix move_columns(Matrix numbers, const std::vector<Index>& columns) {
  Index written = 0;
  for (const Index column : columns) {
    if (written != column) numbers.col(written) = numbers.col(column);
    ++written;
  }
  numbers.conservativeResize(Eigen::NoChange, written);
  return numbers;
}

Matrix encode_columns(const Table& table, const std::vector<TypedColumn>& columns,
                      const std::vector<ColumnSource>& sources, Index width) {
  Matrix design = Matrix::Zero(table.rows(), width);
  Index first = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!columns[k].is_text) {
      design.col(first++) = table.numbers.col(columns[k].column);
      continue;
    }
    const auto count = static_cast<Index>(encoded_names(sources[k]).size());
    encode_words(sources[k], columns[k].words, design.middleCols(first, count));
    first += count;
  }
  return design;
}

// Fills in the sources and names of the design columns; returns where each file column begins in the
// design.
std::vector<Index> describe_columns(const Table& table, const Roles& roles,
                                    const std::vector<TypedColumn>& columns, Dataset& data) {
  std::vector<Index> first(static_cast<std::size_t>(table.heading.columns), -1);
  const std::vector<std::string> names = predictor_names(table.heading, roles.predictors);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    ColumnSource source;
    source.name = names[k];
    if (columns[k].is_text) source.levels = find_levels(table, columns[k].column, columns[k].words);
    first[static_cast<std::size_t>(columns[k].column)] = static_cast<Index>(data.column_names.size());
    for (std::string& name : encoded_names(source)) data.column_names.push_back(std::move(name));
    data.sources.push_back(std::move(source));
  }
  return first;
}

void record_filled(const Table& table, const Roles& roles, const std::vector<FilledCell>& cells,
                   const std::vector<Index>& first_column, Dataset& data) {
  for (const FilledCell& cell : cells) {
    data.filled.push_back({cell.row, first_column[static_cast<std::size_t>(cell.column)]});
    const auto position = std::lower_bound(roles.predictors.begin(), roles.predictors.end(), cell.column);
    ColumnSource& source = data.sources[static_cast<std::size_t>(position - roles.predictors.begin())];
    source.fill = table.numbers(cell.row, cell.column);
    source.filled = true;
  }
}

// Sets a design that does not consist of columns of the table.
void set_design(Dataset& data, const Heading& heading, const std::vector<Index>& others,
                std::optional<Entries> entries, const ReadOptions& options) {
  if (entries) {
    data.design = Design(entries->design);
    data.matrix = std::move(entries->source);
    if (!entries->note.empty()) data.notes.push_back(std::move(entries->note));
  } else if (options.design == DesignKind::rank_one) {
    Factors factors = read_factors(options.left_file, options.right_file, data.response.size(), heading.path);
    data.design = Design(rank_one_rows(factors));
    data.matrix = std::move(factors.source);
    note_ignored(data, heading, others, "the predictors of a rank-one design are in files of their own");
  } else {
    use_identity(data, heading, others);
  }
}

}  // namespace

std::vector<std::string> encoded_names(const ColumnSource& source) {
  if (source.levels.empty()) return {source.name};
  std::vector<std::string> names;
  const std::size_t begin = source.levels.size() <= 2 ? source.levels.size() - 1 : 0;
  for (std::size_t k = begin; k < source.levels.size(); ++k) {
    names.push_back(fmt::format("{}={}", source.name, source.levels[k]));
  }
  return names;
}

void encode_words(const ColumnSource& source, const std::vector<std::string>& words,
                  Eigen::Ref<Matrix> target) {
  const auto& levels = source.levels;
  const auto left_out = static_cast<Index>(levels.size()) - target.cols();
  for (std::size_t row = 0; row < words.size(); ++row) {
    const Index level = std::lower_bound(levels.begin(), levels.end(), words[row]) - levels.begin();
    if (level >= left_out) target(static_cast<Index>(row), level - left_out) = 1.0;
  }
}

Dataset table_dataset(Table table, const ReadOptions& options, std::optional<FileResponse> response) {
  Roles roles = assign_roles(table.heading, options, !response.has_value());
  const std::vector<Index> others =
      options.design == DesignKind::columns ? std::vector<Index>() : std::exchange(roles.predictors, {});
  UsedColumns columns = type_columns(table, roles);
  if (options.design == DesignKind::triplets) add_entry_columns(table, others, columns);
  const std::vector<FilledCell> filled = treat_missing(table, columns, response, options.missing);
  if (roles.weights) refuse_negative_weights(table, *roles.weights);

  Dataset data;
  std::optional<Entries> entries;
  if (options.design == DesignKind::triplets) {
    entries = read_entries(table, columns.others.rbegin()[1], columns.others.back(), options.shape);
  }
  const std::vector<Index> first_column = describe_columns(table, roles, columns.predictors, data);
  record_filled(table, roles, filled, first_column, data);
  data.notes = table.notes;
  data.weight_kind = options.weight_kind;
  if (roles.target) data.lines = std::move(table.lines);
  if (!response) response = target_response(table, columns.others.front());
  set_response(data, std::move(*response), target_place(table, roles, options));
  data.weights =
      roles.weights ? Vector(table.numbers.col(*roles.weights)) : Vector(Vector::Ones(table.rows()));
  data.offset = roles.offset ? Vector(table.numbers.col(*roles.offset)) : Vector(Vector::Zero(table.rows()));
  if (roles.target && table.heading.has_names()) {
    data.response_name = table.heading.names[static_cast<std::size_t>(*roles.target)];
  }
  if (options.design != DesignKind::columns) {
    set_design(data, table.heading, others, std::move(entries), options);
    return data;
  }
  const bool any_text = std::any_of(columns.predictors.begin(), columns.predictors.end(),
                                    [](const TypedColumn& column) { return column.is_text; });
  data.design = Design(any_text ? encode_columns(table, columns.predictors, data.sources,
                                                 static_cast<Index>(data.column_names.size()))
                                : move_columns(std::move(table.numbers), roles.predictors));
  return data;
}

}  // namespace alo::data
