// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alo/types.hpp"
#include "formats/byte_source.hpp"

namespace alo::data {

// An entry that is neither a number nor missing.
struct TextEntry {
  Index row;
  std::string_view text;
};

// The columns of a file and their names in messages.
struct Heading {
  std::string path;
  Index columns = 0;
  std::vector<std::string> names;  // empty: the file has none

  bool has_names() const { return !names.empty(); }
  // "column 'bmi'", or "column 3" when the file has no names.
  std::string label(Index column) const;
};

// A file of rows and columns before their roles are decided.
struct Table {
  Heading heading;
  Matrix numbers;                            // NaN where an entry is missing or text
  std::vector<std::vector<TextEntry>> text;  // by column, in the order of rows; may be empty
  std::vector<Index> lines;                  // the line of each row in the file; empty: 1, 2, ...
  std::vector<std::string> notes;
  // The memory that the text entries point into.
  std::shared_ptr<const Bytes> bytes;
  std::deque<std::string> unquoted;

  Index rows() const { return numbers.rows(); }
  Index line(Index row) const { return lines.empty() ? row + 1 : lines[static_cast<std::size_t>(row)]; }
  const std::vector<TextEntry>& text_of(Index column) const;
  // "data.csv, row 7, column 'bmi'". Rows are lines of the file, the header included.
  std::string place(Index row, Index column) const;
};

}  // namespace alo::data
