// SPDX-License-Identifier: MIT
#include "alo/structure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"
#include "formats/any_table.hpp"
#include "formats/delimited.hpp"
#include "formats/line_scanner.hpp"
#include "signals/graph.hpp"

namespace alo {

namespace {

using data::display_name;

// The fields of one line. Its separator is guessed from the line; quotes protect a separator inside a
// field.
std::vector<std::string> fields_of(std::string_view line) {
  const data::Dialect dialect = data::guess_dialect(line, FileFormat::automatic);
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (const char c : line) {
    const bool separates = c == dialect.delimiter || (dialect.runs && c == '\t');
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (separates && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(data::trim(field));
  if (dialect.runs) std::erase(fields, std::string());
  return fields;
}

// Looks coefficients up by their name, else by their number from 1.
class CoefficientNames {
 public:
  explicit CoefficientNames(const std::vector<std::string>& names) : names_(names) {
    for (std::size_t j = 0; j < names.size(); ++j) positions_.emplace(names[j], static_cast<Index>(j));
  }

  // The coefficient of a word that is a name or a whole number, which may be out of range.
  std::optional<Index> find(const std::string& word) const {
    if (const auto found = positions_.find(word); found != positions_.end()) return found->second;
    Index number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number - 1;
  }

  Index require(const std::string& word, const std::string& place) const {
    const auto found = find(word);
    const auto count = static_cast<Index>(names_.size());
    if (found && *found >= 0 && *found < count) return *found;
    if (found) {
      throw InvalidData(fmt::format(
          "{}: there is no coefficient {}; they are numbered from 1 to {}, the columns after encoding", place,
          word, count));
    }
    const auto near = nearest_name(word, names_);
    throw InvalidData(fmt::format("{}: '{}' is neither a column nor a number{}", place, word,
                                  near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
  }

 private:
  const std::vector<std::string>& names_;
  std::unordered_map<std::string, Index> positions_;
};

}  // namespace

Edges edges_of_grid(Index rows, Index columns) {
  Edges edges;
  for (const GraphEdge& edge : grid_edges(rows, columns)) edges.emplace_back(edge.tail, edge.head);
  return edges;
}

Edges read_edges(const std::string& path, const std::vector<std::string>& column_names) {
  const data::Bytes bytes = data::read_bytes(path);
  const CoefficientNames names(column_names);
  Edges edges;
  data::LineScanner scanner(bytes.view());
  std::string_view line;
  bool is_first = true;
  while (scanner.next(line)) {
    if (data::trim(line).empty()) continue;
    const std::string place = fmt::format("{}, row {}", display_name(path), scanner.number());
    const std::vector<std::string> ends = fields_of(line);
    if (ends.size() != 2) {
      throw InvalidData(
          fmt::format("{}: an edge joins two coefficients, but there are {} entries", place, ends.size()));
    }
    const bool is_heading = is_first && !names.find(ends[0]) && !names.find(ends[1]);
    is_first = false;
    if (is_heading) continue;
    const auto [low, high] = std::minmax({names.require(ends[0], place), names.require(ends[1], place)});
    if (low == high) {
      throw InvalidData(fmt::format("{}: the edge joins {} with itself; remove it", place,
                                    column_names[static_cast<std::size_t>(low)]));
    }
    edges.emplace_back(low, high);
  }
  if (edges.empty()) throw InvalidData(fmt::format("{}: there is no edge in it", display_name(path)));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

namespace {

// The words of the file, one per line or all from one line. Blank lines at the end beyond the number of
// coefficients are dropped.
std::vector<std::string> group_words(const std::string& path, Index columns) {
  const data::Bytes bytes = data::read_bytes(path);
  std::vector<std::vector<std::string>> lines;
  data::LineScanner scanner(bytes.view());
  std::string_view line;
  while (scanner.next(line)) lines.push_back(fields_of(line));
  const auto is_blank = [](const std::vector<std::string>& fields) {
    return fields.size() == 1 && fields.front().empty();
  };
  while (static_cast<Index>(lines.size()) > columns && is_blank(lines.back())) lines.pop_back();
  if (lines.size() == 1) return lines.front();
  std::vector<std::string> words;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].size() != 1) {
      throw InvalidData(
          fmt::format("{}, row {}: there are {} entries, but a coefficient belongs to one group; groups that "
                      "overlap are not in this version",
                      display_name(path), k + 1, lines[k].size()));
    }
    words.push_back(std::move(lines[k].front()));
  }
  const bool has_heading = static_cast<Index>(words.size()) == columns + 1 &&
                           data::read_entry(words.front()).kind == data::EntryKind::text;
  if (has_heading) words.erase(words.begin());
  return words;
}

}  // namespace

Groups read_groups(const std::string& path, Index columns) {
  const std::vector<std::string> words = group_words(path, columns);
  if (static_cast<Index>(words.size()) != columns) {
    throw InvalidData(fmt::format(
        "{}: there are {} groups for {} coefficients, the columns after encoding; give one for each",
        display_name(path), words.size(), columns));
  }
  Groups groups;
  std::unordered_map<std::string, Index> known;
  Index count = 0;
  for (const std::string& word : words) {
    const bool is_alone = data::read_entry(word).kind == data::EntryKind::missing;
    groups.alone += is_alone ? 1 : 0;
    const auto [entry, is_new] = is_alone ? std::pair(known.end(), true) : known.emplace(word, count);
    groups.of_coefficient.push_back(is_new ? count++ : entry->second);
  }
  return groups;
}

SparseMatrix read_matrix(const std::string& path) {
  const data::AnyTable any = data::read_any(path, {});
  if (const auto* sparse = std::get_if<data::SparseTable>(&any)) {
    if (!sparse->labels) return sparse->values;
    throw InvalidData(fmt::format("{}: expected a matrix, but the rows have labels", display_name(path)));
  }
  const auto& table = std::get<data::Table>(any);
  for (Index column = 0; column < table.heading.columns; ++column) {
    if (!table.text_of(column).empty()) {
      const data::TextEntry& entry = table.text_of(column).front();
      throw InvalidData(fmt::format("{}: '{}' is not a number", table.place(entry.row, column), entry.text));
    }
    for (Index row = 0; row < table.rows(); ++row) {
      if (std::isfinite(table.numbers(row, column))) continue;
      throw InvalidData(fmt::format("{}: the value is missing or not finite", table.place(row, column)));
    }
  }
  return table.numbers.sparseView(1.0, 0.0);
}

}  // namespace alo
