// SPDX-License-Identifier: MIT
#include "formats/delimited.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/field_scanner.hpp"

namespace alo::data {

namespace {

[[noreturn]] void fail(const std::string& path, std::string_view reason, std::vector<Hint> hints = {}) {
  throw InvalidData(fmt::format("{}: {}", path, reason), std::move(hints));
}

// Removes the byte order mark and the lines to skip; returns the number of removed lines.
Index cut_top(std::string_view& content, const std::string& path, Index skip) {
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
    fail(path, "is UTF-16 text; save it as UTF-8");
  }
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  for (Index line = 0; line < skip; ++line) {
    const std::size_t end = content.find('\n');
    if (end == std::string_view::npos) {
      fail(path, fmt::format("has only {} lines, fewer than the {} to skip", line + 1, skip),
           {{Setting::skip, std::to_string(skip)}});
    }
    content.remove_prefix(end + 1);
  }
  return skip;
}

// A bound on the number of rows: each entry takes at least one byte. So the table is never much larger than
// the file.
Index largest_row_count(std::string_view rest, Index columns) {
  const auto lines = std::count(rest.begin(), rest.end(), '\n') + 1;
  return std::min<Index>(lines, static_cast<Index>(rest.size()) / columns + 1);
}

// Collects rows and writes them to the columns one block at a time, so that the column-major writes stay
// within the cache (128 KB, at least 8 and at most 1024 rows).
class BlockWriter {
 public:
  BlockWriter(Matrix& target, Index columns)
      : target_(target),
        block_rows_(std::clamp<Index>(16384 / columns, 8, 1024)),
        block_(columns, block_rows_) {}

  double* row() { return block_.col(filled_).data(); }

  void next_row() {
    if (++filled_ == block_rows_) flush();
  }

  void flush() {
    target_.middleRows(written_, filled_) = block_.leftCols(filled_).transpose();
    written_ += filled_;
    filled_ = 0;
  }

 private:
  Matrix& target_;
  Index block_rows_;
  Matrix block_;
  Index filled_ = 0;
  Index written_ = 0;
};

std::vector<std::string> check_names(std::vector<std::string> names, const std::string& path, Index line) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j].empty()) names[j] = fmt::format("column{}", j + 1);
  }
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      fail(path, fmt::format("row {} names two columns '{}'; give every column its own name", line, name));
    }
  }
  return names;
}

[[noreturn]] void refuse_ragged(const Table& table, Index line, Index found) {
  const Heading& heading = table.heading;
  const std::string message =
      fmt::format("{}, row {}: expected {} fields as in the {} row, found {}; correct the row", heading.path,
                  line, heading.columns, heading.has_names() ? "header" : "first", found);
  if (!table.lines.empty()) throw InvalidData(message);
  throw InvalidData(message + ", or skip the lines above the data", {{Setting::skip}});
}

// Decides about the header and leaves the scanner at the first row of data.
void read_heading(FieldScanner& scanner, Table& table) {
  const FieldScanner start = scanner;
  const Index line = scanner.line();
  std::vector<std::string> fields;
  bool has_text = false;
  bool has_number = false;
  do {
    const std::string_view field = scanner.next_field(table.unquoted);
    const EntryKind kind = read_entry(field).kind;
    has_text = has_text || kind == EntryKind::text;
    has_number = has_number || kind == EntryKind::number;
    fields.emplace_back(trim(field));
  } while (scanner.more_in_row());
  scanner.end_row();
  table.heading.columns = static_cast<Index>(fields.size());
  if (!has_text) {
    scanner = start;
    return;
  }
  if (has_number) {
    table.notes.push_back(
        fmt::format("Row {} of {} has text among its numbers and was taken as the column names.", line,
                    table.heading.path));
  }
  table.heading.names = check_names(std::move(fields), table.heading.path, line);
}

void read_row(FieldScanner& scanner, Table& table, double* values) {
  const Index line = scanner.line();
  const Index columns = table.heading.columns;
  const auto row = static_cast<Index>(table.lines.size());
  Index column = 0;
  do {
    double value = 0.0;
    if (!scanner.next_number(value)) {
      const std::string_view field = scanner.next_field(table.unquoted);
      const Entry entry = read_entry(field);
      value = entry.value;
      if (entry.kind == EntryKind::text && column < columns) {
        table.text[static_cast<std::size_t>(column)].push_back({row, field});
      }
    }
    if (column < columns) values[column] = value;
    ++column;
  } while (scanner.more_in_row());
  if (column != columns) refuse_ragged(table, line, column);
  scanner.end_row();
  table.lines.push_back(line);
}

void read_rows(FieldScanner& scanner, Table& table) {
  const Index columns = table.heading.columns;
  table.text.resize(static_cast<std::size_t>(columns));
  const Index capacity = largest_row_count(scanner.rest(), columns);
  table.numbers.resize(capacity, columns);
  table.lines.reserve(static_cast<std::size_t>(capacity));
  BlockWriter writer(table.numbers, columns);
  while (true) {
    const Index line = scanner.line();
    const bool blank_lines = scanner.skip_blank_lines();
    if (scanner.at_end()) break;
    if (blank_lines && !table.lines.empty()) {
      fail(table.heading.path,
           fmt::format("row {} is blank but rows follow it; remove the blank row, or write NA "
                       "for a missing value",
                       line));
    }
    read_row(scanner, table, writer.row());
    writer.next_row();
  }
  writer.flush();
  const auto rows = static_cast<Index>(table.lines.size());
  if (rows != capacity) table.numbers.conservativeResize(rows, Eigen::NoChange);
}

}  // namespace

Dialect guess_dialect(std::string_view content, FileFormat format) {
  if (format == FileFormat::tsv) return {'\t', false};
  content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  bool comma = false;
  bool semicolon = false;
  bool tab = false;
  bool blank = false;
  bool quoted = false;
  for (const char c : content.substr(0, content.find('\n'))) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    comma = comma || c == ',';
    semicolon = semicolon || c == ';';
    tab = tab || c == '\t';
    blank = blank || c == ' ';
  }
  if (format == FileFormat::csv) return {comma ? ',' : semicolon ? ';' : tab ? '\t' : ',', false};
  if (tab) return {'\t', false};
  if (comma) return {',', false};
  if (semicolon) return {';', false};
  return blank ? Dialect{' ', true} : Dialect{};
}

Table read_delimited(Bytes bytes, const std::string& path, FileFormat format, Index skip) {
  Table table;
  table.heading.path = display_name(path);
  table.bytes = std::make_shared<const Bytes>(std::move(bytes));
  std::string_view content = table.bytes->view();
  const Index skipped = cut_top(content, table.heading.path, skip);
  if (content.find('\r') != std::string_view::npos && content.find('\n') == std::string_view::npos) {
    const std::string_view body = content.substr(0, content.size() - 1);
    if (body.find('\r') != std::string_view::npos) {
      fail(table.heading.path, "ends its lines with CR alone; save it with LF or CRLF line ends");
    }
  }
  FieldScanner scanner(content, guess_dialect(content, format), table.heading.path, skipped + 1);
  scanner.skip_blank_lines();
  if (scanner.at_end()) fail(table.heading.path, "is empty; a data file has at least one row");
  read_heading(scanner, table);
  read_rows(scanner, table);
  if (table.rows() == 0) fail(table.heading.path, "has column names but no row of data");
  return table;
}

}  // namespace alo::data
