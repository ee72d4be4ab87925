// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/read.hpp"
#include "formats/any_table.hpp"
#include "read/roles.hpp"
#include "read/table_dataset.hpp"

namespace alo {

namespace {

using Sources = std::vector<ColumnSource>;

// The columns of a file that hold the predictors of the model, and the offset.
struct Match {
  std::vector<Index> predictors;
  std::optional<Index> offset;
};

Match match_names(const data::Heading& heading, const Sources& sources, const ReadOptions& options) {
  std::unordered_map<std::string_view, Index> position;
  for (std::size_t k = 0; k < heading.names.size(); ++k) position[heading.names[k]] = static_cast<Index>(k);
  Match match;
  std::vector<std::string> absent;
  for (const ColumnSource& source : sources) {
    const auto found = position.find(source.name);
    if (found == position.end()) {
      absent.push_back(fmt::format("'{}'", source.name));
    } else {
      match.predictors.push_back(found->second);
    }
  }
  if (!absent.empty()) {
    throw InvalidData(fmt::format("{} lacks {} of the model's columns: {}", heading.path, absent.size(),
                                  fmt::join(absent, ", ")));
  }
  if (!options.offset.empty()) match.offset = data::find_column(heading, options.offset, data::offset_use);
  return match;
}

// For a file without names: it has the predictors alone (and the offset), or the layout of the training
// file.
Match match_positions(const data::Heading& heading, const Sources& sources, const ReadOptions& options) {
  const auto needed = static_cast<Index>(sources.size());
  ReadOptions offset_only;
  offset_only.offset = options.offset;
  const bool alone = heading.columns == needed + (options.offset.empty() ? 0 : 1);
  const data::Roles roles = alone ? data::assign_roles(heading, offset_only, false)
                                  : data::assign_roles(heading, options, options.response_file.empty());
  if (static_cast<Index>(roles.predictors.size()) != needed) {
    throw InvalidData(
        fmt::format("{} has {} columns and no header; the model needs its {} predictors alone, or the "
                    "columns of the file it was fitted to",
                    heading.path, heading.columns, needed));
  }
  return {roles.predictors, roles.offset};
}

// The number 7 of a name x7; none for other names.
std::optional<Index> numbered(const std::string& name) {
  Index number = 0;
  const char* end = name.data() + name.size();
  if (!name.starts_with('x')) return std::nullopt;
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  return error == std::errc() && stop == end && number >= 0 ? std::optional(number) : std::nullopt;
}

// Indexed formats leave out trailing zeros, so that the number of columns is no evidence. Index k means the
// column xk, or the k-th column when the model has other names.
Match match_indices(const data::SparseTable& table, const Sources& sources, const ReadOptions& options) {
  Match match;
  const bool all_numbered = std::all_of(sources.begin(), sources.end(), [](const ColumnSource& source) {
    return numbered(source.name).has_value();
  });
  Index largest = -1;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    match.predictors.push_back(all_numbered ? *numbered(sources[k].name) - table.first_index
                                            : static_cast<Index>(k));
    largest = std::max(largest, match.predictors.back());
  }
  if (!options.offset.empty())
    match.offset = data::find_column(table.heading, options.offset, data::offset_use);
  if (table.heading.columns > largest + 1 && options.drop.empty() && !match.offset &&
      options.weights.empty()) {
    throw InvalidData(fmt::format("{} has index {}, beyond the last column of the model, {}",
                                  table.heading.path, table.heading.columns - 1 + table.first_index,
                                  largest + table.first_index));
  }
  return match;
}

// Fills gaps with the mean kept from training if the policy asks for it and there is one.
void fill_missing(const data::Table& table, const ColumnSource& source, Index column, MissingPolicy policy,
                  Eigen::Ref<Vector> values) {
  for (Index row = 0; row < values.size(); ++row) {
    if (!std::isnan(values[row])) continue;
    if (!source.filled) {
      throw InvalidData(fmt::format(
          "{}: the value is missing, and no mean was kept for '{}' because no gap of it was filled "
          "when the model was fitted; fill it in or leave the row out",
          table.place(row, column), source.name));
    }
    if (policy != MissingPolicy::mean) {
      throw InvalidData(
          fmt::format("{}: the value is missing; fill in {}, the mean it had when the model was fitted",
                      table.place(row, column), source.fill),
          {{Setting::missing, "mean"}});
    }
    values[row] = source.fill;
  }
}

Vector number_column(const data::Table& table, Index column) {
  if (!table.text_of(column).empty()) data::refuse_word(table, column, table.text_of(column).front());
  Vector values = table.numbers.col(column);
  for (Index row = 0; row < values.size(); ++row) {
    if (std::isinf(values[row])) {
      throw InvalidData(fmt::format("{}: the value is not finite; correct it", table.place(row, column)));
    }
  }
  return values;
}

void check_levels(const data::Table& table, const ColumnSource& source, Index column,
                  const std::vector<std::string>& words) {
  for (std::size_t row = 0; row < words.size(); ++row) {
    const auto place = [&] { return table.place(static_cast<Index>(row), column); };
    if (words[row].empty()) {
      throw InvalidData(fmt::format("{}: the value is missing; text cannot be filled in", place()));
    }
    if (!std::binary_search(source.levels.begin(), source.levels.end(), words[row])) {
      throw InvalidData(fmt::format("{}: '{}' did not occur when the model was fitted; known levels: {}",
                                    place(), words[row], fmt::join(source.levels, ", ")));
    }
  }
}

NewData encode_table(const data::Table& table, const Sources& sources, const Match& match,
                     MissingPolicy policy) {
  Index width = 0;
  for (const ColumnSource& source : sources) width += static_cast<Index>(data::encoded_names(source).size());
  Matrix design = Matrix::Zero(table.rows(), width);
  Index first = 0;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const Index column = match.predictors[k];
    const auto count = static_cast<Index>(data::encoded_names(sources[k]).size());
    if (sources[k].levels.empty()) {
      design.col(first) = number_column(table, column);
      fill_missing(table, sources[k], column, policy, design.col(first));
    } else {
      const std::vector<std::string> words = data::words_of(table, column);
      check_levels(table, sources[k], column, words);
      data::encode_words(sources[k], words, design.middleCols(first, count));
    }
    first += count;
  }
  Vector offset = Vector::Zero(table.rows());
  if (match.offset) {
    offset = number_column(table, *match.offset);
    const ColumnSource never_filled{"offset", {}, 0.0, false};
    fill_missing(table, never_filled, *match.offset, policy, offset);
  }
  return {Design(std::move(design)), std::move(offset)};
}

NewData encode_sparse(const data::SparseTable& table, const Sources& sources, const Match& match) {
  for (const ColumnSource& source : sources) {
    if (!source.levels.empty()) {
      throw InvalidData(fmt::format("{}: the model's column '{}' is text, which this format cannot hold",
                                    table.heading.path, source.name));
    }
  }
  Vector offset = Vector::Zero(table.values.rows());
  if (match.offset) offset = Vector(table.values.col(*match.offset));
  return {Design(data::choose_columns(table.values, match.predictors)), std::move(offset)};
}

}  // namespace

NewData read_new_data(const std::string& path, const std::vector<ColumnSource>& sources,
                      const ReadOptions& options) {
  const bool from_zero = !sources.empty() && sources.front().name == "x0";
  const data::AnyTable table = data::read_any(path, options, from_zero ? 0 : 1);
  if (const auto* sparse = std::get_if<data::SparseTable>(&table)) {
    return encode_sparse(*sparse, sources,
                         sparse->labels ? match_indices(*sparse, sources, options)
                                        : match_positions(sparse->heading, sources, options));
  }
  const auto& dense = std::get<data::Table>(table);
  return encode_table(dense, sources,
                      dense.heading.has_names() ? match_names(dense.heading, sources, options)
                                                : match_positions(dense.heading, sources, options),
                      options.missing);
}

}  // namespace alo
