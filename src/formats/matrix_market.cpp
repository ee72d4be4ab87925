// SPDX-License-Identifier: MIT
#include "formats/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/line_scanner.hpp"

namespace alo::data {

namespace {

struct Banner {
  bool coordinate = false;
  bool pattern = false;
  bool symmetric = false;
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

class MatrixMarketReader {
 public:
  MatrixMarketReader(std::string_view content, const std::string& path)
      : lines_(content), path_(display_name(path)) {}

  std::variant<Table, SparseTable> read() {
    const Banner banner = read_banner();
    if (banner.coordinate) return read_coordinates(banner);
    return read_array(banner);
  }

 private:
  [[noreturn]] void fail_file(std::string_view reason) const {
    throw InvalidData(fmt::format("{}: {}", path_, reason));
  }
  [[noreturn]] void fail(std::string_view reason) const {
    throw InvalidData(fmt::format("{}, row {}: {}", path_, lines_.number(), reason));
  }

  Banner read_banner() {
    std::string_view line;
    if (!lines_.next(line)) fail_file("is empty");
    const std::string kind = lower_case(next_word(line));
    const std::string object = lower_case(next_word(line));
    const std::string layout = lower_case(next_word(line));
    const std::string field = lower_case(next_word(line));
    const std::string symmetry = lower_case(next_word(line));
    if (kind != "%%matrixmarket" || object != "matrix") {
      fail("is not a Matrix Market header; it begins with '%%MatrixMarket matrix'");
    }
    if (layout != "coordinate" && layout != "array") {
      fail(fmt::format("the layout '{}' is neither coordinate nor array", layout));
    }
    const bool pattern = field == "pattern" && layout == "coordinate";
    if (field != "real" && field != "double" && field != "integer" && !pattern) {
      fail(
          fmt::format("values of kind '{}' are not read; real, integer and (coordinate) pattern are", field));
    }
    if (symmetry != "general" && symmetry != "symmetric") {
      fail(fmt::format("symmetry '{}' is not read; general and symmetric are", symmetry));
    }
    return {layout == "coordinate", pattern, symmetry == "symmetric"};
  }

  // The next line that is neither a comment nor blank.
  std::string_view next_line(std::string_view expected) {
    std::string_view line;
    while (lines_.next(line)) {
      line = trim(line);
      if (!line.empty() && line.front() != '%') return line;
    }
    fail_file(fmt::format("truncated Matrix Market file: it ends where {} should follow", expected));
  }

  Index read_count(std::string_view& line, Index smallest, Index largest, std::string_view what) const {
    const std::string_view word = next_word(line);
    Index value = -1;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size()) {
      fail(fmt::format("the {} '{}' is not a whole number", what, word.substr(0, 40)));
    }
    if (value < smallest || value > largest) {
      fail(fmt::format("the {} {} is not from {} to {}", what, value, smallest, largest));
    }
    return value;
  }

  void expect_line_end(std::string_view line) const {
    if (!trim(line).empty()) fail(fmt::format("unexpected '{}'", trim(line).substr(0, 40)));
  }

  void expect_file_end() {
    std::string_view line;
    while (lines_.next(line)) {
      line = trim(line);
      if (!line.empty() && line.front() != '%') fail("more entries follow than the size line announces");
    }
  }

  // Reads the numbers of rows and columns. The bound of 2^40 only keeps sums of the three counts within
  // Index; check_sparse_size and the length of the file bound what is allocated.
  std::pair<Index, Index> read_size(std::string_view& line, bool symmetric) {
    constexpr Index largest = Index{1} << 40;
    const Index rows = read_count(line, 1, largest, "number of rows");
    const Index columns = read_count(line, 1, largest, "number of columns");
    if (symmetric && rows != columns) fail("a symmetric matrix has as many rows as columns");
    return {rows, columns};
  }

  SparseTable read_coordinates(const Banner& banner) {
    std::string_view line = next_line("the size");
    const auto [rows, columns] = read_size(line, banner.symmetric);
    const auto shortest_entry = static_cast<std::size_t>(banner.pattern ? 4 : 6);
    const Index possible = static_cast<Index>(lines_.rest().size() / shortest_entry) + 1;
    const Index count = read_count(line, 0, Index{1} << 40, "number of entries");
    expect_line_end(line);
    if (count > possible) {
      fail(fmt::format("truncated Matrix Market file: {} entries are announced, at most {} can follow", count,
                       possible));
    }
    check_sparse_size(path_, rows, columns, static_cast<std::size_t>(count));
    std::vector<Triplet> entries;
    entries.reserve(static_cast<std::size_t>(banner.symmetric ? 2 * count : count));
    for (Index k = 0; k < count; ++k) read_entry_line(banner, rows, columns, entries);
    expect_file_end();
    SparseTable table;
    table.heading = {path_, columns, {}};
    table.values.resize(rows, columns);
    table.values.setFromTriplets(entries.begin(), entries.end());
    if (table.values.nonZeros() != static_cast<Index>(entries.size())) refuse_repeated(std::move(entries));
    return table;
  }

  void read_entry_line(const Banner& banner, Index rows, Index columns, std::vector<Triplet>& entries) {
    std::string_view line = next_line("an entry");
    const int row = static_cast<int>(read_count(line, 1, rows, "row index")) - 1;
    const int column = static_cast<int>(read_count(line, 1, columns, "column index")) - 1;
    double value = 1.0;
    if (!banner.pattern) {
      const std::string_view word = next_word(line);
      const Entry entry = read_entry(word);
      if (entry.kind != EntryKind::number || !std::isfinite(entry.value)) {
        fail(fmt::format("the value '{}' is not a finite number", word.substr(0, 40)));
      }
      value = entry.value;
    }
    expect_line_end(line);
    entries.emplace_back(row, column, value);
    if (banner.symmetric && row != column) entries.emplace_back(column, row, value);
  }

  [[noreturn]] void refuse_repeated(std::vector<Triplet> entries) const {
    const auto key = [](const Triplet& entry) { return std::pair(entry.col(), entry.row()); };
    std::sort(entries.begin(), entries.end(),
              [&](const Triplet& a, const Triplet& b) { return key(a) < key(b); });
    const auto twin = std::adjacent_find(
        entries.begin(), entries.end(), [&](const Triplet& a, const Triplet& b) { return key(a) == key(b); });
    fail_file(fmt::format("the entry in row {}, column {} of the matrix is given twice", twin->row() + 1,
                          twin->col() + 1));
  }

  Table read_array(const Banner& banner) {
    std::string_view line = next_line("the size");
    const auto [rows, columns] = read_size(line, banner.symmetric);
    expect_line_end(line);
    Index count = 0;
    const auto possible = static_cast<Index>(lines_.rest().size() / 2) + 1;
    const bool overflow = __builtin_mul_overflow(rows, columns, &count);
    const Index given = banner.symmetric ? rows + (overflow ? 0 : (count - rows) / 2) : count;
    if (overflow || given > possible) {
      fail(fmt::format("truncated Matrix Market file: {} x {} values are announced, at most {} can follow",
                       rows, columns, possible));
    }
    Table table;
    table.heading = {path_, columns, {}};
    table.numbers.resize(rows, columns);
    for (Index column = 0; column < columns; ++column) {
      for (Index row = banner.symmetric ? column : 0; row < rows; ++row) {
        std::string_view value_line = next_line("a value");
        const Entry entry = read_entry(value_line);
        if (entry.kind == EntryKind::text)
          fail(fmt::format("'{}' is not a number", value_line.substr(0, 40)));
        table.numbers(row, column) = entry.value;
        if (banner.symmetric) table.numbers(column, row) = entry.value;
      }
    }
    expect_file_end();
    return table;
  }

  LineScanner lines_;
  std::string path_;
};

}  // namespace

std::variant<Table, SparseTable> read_matrix_market(const Bytes& bytes, const std::string& path) {
  return MatrixMarketReader(bytes.view(), path).read();
}

}  // namespace alo::data
