// SPDX-License-Identifier: MIT
#include "formats/libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/line_scanner.hpp"

namespace alo::data {

namespace {

class LibsvmReader {
 public:
  explicit LibsvmReader(const std::string& path) : path_(display_name(path)) {}

  void read(std::string_view content, Index skip) {
    LineScanner lines(content);
    std::string_view line;
    while (lines.next(line)) {
      line_ = lines.number();
      if (line_ <= skip) continue;
      line = trim(line.substr(0, line.find('#')));
      if (!line.empty()) read_row(line);
    }
    if (labels_.empty()) fail_file("is empty; a data file has at least one row");
  }

  SparseTable finish(std::optional<Index> first_index) {
    SparseTable table;
    table.first_index = first_index.value_or(smallest_ == 0 ? 0 : 1);
    if (smallest_ < table.first_index) {
      fail_file("has index 0, but the model was fitted to indices that begin at 1; add 1 to every index");
    }
    const Index columns = std::max<Index>(largest_ + 1 - table.first_index, 0);
    const auto rows = static_cast<Index>(labels_.size());
    check_sparse_size(path_, rows, columns, entries_.size());
    if (table.first_index == 0 && !first_index) {
      table.notes.push_back(fmt::format("{} counts columns from 0: its first column is x0.", path_));
    }
    if (has_query_) table.notes.push_back(fmt::format("The qid: entries of {} were passed over.", path_));
    table.heading = {path_, columns, {}};
    table.labels = Eigen::Map<const Vector>(labels_.data(), rows);
    table.lines = std::move(lines_);
    // Until here entries carry the index of the file; now the first index is known and is subtracted.
    const int shift = static_cast<int>(table.first_index);
    for (Triplet& entry : entries_) entry = {entry.row(), entry.col() - shift, entry.value()};
    table.values.resize(rows, columns);
    table.values.setFromTriplets(entries_.begin(), entries_.end());
    return table;
  }

 private:
  [[noreturn]] void fail_file(std::string_view reason) const {
    throw InvalidData(fmt::format("{}: {}", path_, reason));
  }
  [[noreturn]] void fail(std::string_view reason) const {
    throw InvalidData(fmt::format("{}, row {}: {}", path_, line_, reason));
  }

  double read_value(std::string_view text, std::string_view what) const {
    double value = 0.0;
    const char* end = text.data() + text.size();
    if (text.empty() || scan_number(text.data(), end, value) != end || !std::isfinite(value)) {
      fail(fmt::format("the {} '{}' is not a finite number", what, text.substr(0, 40)));
    }
    return value;
  }

  void read_row(std::string_view line) {
    const auto row = static_cast<int>(labels_.size());
    labels_.push_back(read_value(next_word(line), "label"));
    lines_.push_back(line_);
    int previous = -1;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::size_t colon = word.find(':');
      if (colon == std::string_view::npos) {
        fail(fmt::format("'{}' is not index:value", word.substr(0, 40)));
      }
      if (word.substr(0, colon) == "qid") {
        has_query_ = true;
        continue;
      }
      const int index = read_index(word.substr(0, colon));
      if (index <= previous) {
        fail(fmt::format("index {} follows index {}; indices must rise within a row", index, previous));
      }
      previous = index;
      smallest_ = std::min<Index>(smallest_, index);
      largest_ = std::max<Index>(largest_, index);
      entries_.emplace_back(row, index,
                            read_value(word.substr(colon + 1), fmt::format("value of index {}", index)));
    }
  }

  int read_index(std::string_view text) const {
    int index = -1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, index);
    if (error != std::errc() || stop != end || index < 0 || index == std::numeric_limits<int>::max()) {
      fail(fmt::format("'{}' is not an index; indices are whole numbers from 1", text.substr(0, 40)));
    }
    return index;
  }

  std::string path_;
  Index line_ = 0;
  std::vector<double> labels_;
  std::vector<Index> lines_;  // line of the file of each row
  std::vector<Triplet> entries_;
  Index smallest_ = 1;
  Index largest_ = -1;
  bool has_query_ = false;
};

}  // namespace

SparseTable read_libsvm(const Bytes& bytes, const std::string& path, Index skip,
                        std::optional<Index> first_index) {
  LibsvmReader reader(path);
  reader.read(bytes.view(), skip);
  return reader.finish(first_index);
}

}  // namespace alo::data
