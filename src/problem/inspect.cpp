// SPDX-License-Identifier: MIT
#include "alo/inspect.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alo {

namespace {

// Mixes a value and its row into a hash. Zeros are skipped, so that dense and sparse columns agree and -0
// equals 0.
void mix(std::size_t& hash, Index row, double value) {
  if (value == 0.0) return;
  const std::size_t word =
      std::hash<double>()(value) + 0x9e3779b97f4a7c15ULL * static_cast<std::size_t>(row + 1);
  hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
  hash ^= hash >> 32;
}

std::size_t hash_column(const Design& design, Index column) {
  std::size_t hash = 0;
  if (design.is_sparse()) {
    for (SparseMap::InnerIterator entry(design.sparse_values(), column); entry; ++entry) {
      mix(hash, entry.row(), entry.value());
    }
  } else {
    const auto values = design.dense_values().col(column);
    for (Index i = 0; i < values.size(); ++i) mix(hash, i, values[i]);
  }
  return hash;
}

bool equal_columns(const Design& design, Index a, Index b) {
  if (!design.is_sparse()) return design.dense_values().col(a) == design.dense_values().col(b);
  const SparseMap& values = design.sparse_values();
  const Eigen::SparseVector<double> difference = values.col(a) - values.col(b);
  return difference.norm() == 0.0;
}

// "a, b, c and 4 more"
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 10;
  const std::vector<std::string> first(names.begin(), names.begin() + std::min(names.size(), shown));
  std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

// The fit without the only row of a class cannot predict that class, however small the row's leverage is.
void add_lone_classes(const Problem& problem, std::vector<std::string>& notes) {
  if (problem.loss().response_kind() == ResponseKind::number) return;
  const Dataset& data = problem.data();
  const bool two = problem.loss().response_kind() == ResponseKind::two_classes;
  const bool copies = data.weight_kind == WeightKind::frequency;
  std::vector<double> rows(data.classes.size(), 0.0);
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto label = static_cast<std::size_t>(two ? (data.response[i] + 1) / 2 : data.response[i]);
    if (data.weights[i] > 0 && label < rows.size()) rows[label] += copies ? data.weights[i] : 1.0;
  }
  std::vector<std::string> lone;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] == 1.0) lone.push_back("'" + data.classes[k] + "'");
  }
  if (lone.empty()) return;
  notes.push_back(fmt::format(
      "{} of the response {} one row only, which nothing predicts when it is left out: {}",
      lone.size() == 1 ? "a class" : "classes", lone.size() == 1 ? "has" : "have", list_names(lone)));
}

}  // namespace

std::vector<std::pair<Index, Index>> duplicate_columns(const Design& design) {
  std::unordered_multimap<std::size_t, Index> seen;
  std::vector<std::pair<Index, Index>> pairs;
  for (Index j = 0; j < design.columns(); ++j) {
    const std::size_t hash = hash_column(design, j);
    const auto [begin, end] = seen.equal_range(hash);
    const auto first =
        std::find_if(begin, end, [&](const auto& entry) { return equal_columns(design, entry.second, j); });
    if (first == end) {
      seen.emplace(hash, j);
    } else {
      pairs.emplace_back(first->second, j);
    }
  }
  return pairs;
}

namespace {

template <class Name>
void add_constant_columns(const Name& name, const std::vector<Index>& columns,
                          std::vector<std::string>& notes) {
  if (columns.empty()) return;
  std::vector<std::string> constant;
  for (const Index j : columns) constant.push_back(fmt::format("'{}'", name(j)));
  notes.push_back(fmt::format("{} constant column{} left out: {}", constant.size(),
                              constant.size() == 1 ? " is" : "s are", list_names(constant)));
}

void add_column_notes(const Problem& problem, std::vector<std::string>& notes) {
  const Dataset& data = problem.data();
  // Columns are entries of a matrix here: the penalty joins them, so that constant and repeated columns are
  // no reason for a note.
  if (problem.penalty().shape()) return;
  const auto name = [&data](Index j) { return fmt::format("'{}'", data.column_name(j)); };
  std::vector<char> is_constant(static_cast<std::size_t>(data.columns()), 0);
  for (const Index j : problem.constant_columns()) is_constant[static_cast<std::size_t>(j)] = 1;
  add_constant_columns([&data](Index j) { return data.column_name(j); }, problem.constant_columns(), notes);
  std::vector<std::string> repeated;
  for (const auto& [first, repeat] : duplicate_columns(data.design)) {
    if (is_constant[static_cast<std::size_t>(repeat)] == 0)
      repeated.push_back(name(repeat) + " = " + name(first));
  }
  if (!repeated.empty()) {
    notes.push_back(fmt::format("{} column{} another one, and how they share their effect is arbitrary: {}",
                                repeated.size(), repeated.size() == 1 ? " repeats" : "s repeat",
                                list_names(repeated)));
  }
  if (problem.constant_columns().size() == is_constant.size()) {
    notes.push_back(fmt::format("no predictor is left: only {} fitted",
                                problem.intercept() ? "the intercept is" : "zero can be"));
  }
}

}  // namespace

std::vector<std::string> inspect(const Problem& problem) {
  const Dataset& data = problem.data();
  std::vector<std::string> notes;
  if (data.kernel) {
    const auto name = [&data](Index j) { return data.kernel->column_names[static_cast<std::size_t>(j)]; };
    add_constant_columns(name, columns_left_out(*data.kernel), notes);
  } else {
    add_column_notes(problem, notes);
  }
  add_lone_classes(problem, notes);
  if (data.response.size() > 1 && (data.response.array() == data.response[0]).all()) {
    notes.push_back(
        fmt::format("the response '{}' is constant: there is nothing to explain", data.response_name));
  }
  return notes;
}

}  // namespace alo
