// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "formats/table.hpp"

namespace alo::data {

// A response as a file has it: a number for every row, or a word for every row.
struct FileResponse {
  Vector numbers;                  // empty for a response of words
  std::vector<std::string> words;  // empty for a response of numbers

  bool is_text() const { return !words.empty(); }
  Index rows() const { return is_text() ? static_cast<Index>(words.size()) : numbers.size(); }
  void keep(const std::vector<Index>& rows);
};

// Reads a file with a single column or a single row; and, in the second form, its numbers, none of which
// may be missing.
Table read_column_table(const std::string& path);
Vector vector_of(const Table& table);

// Reads a file that contains only the response of `rows` rows: one number or word per line, or a row of
// numbers. A first line of text is taken as a heading unless one line would then be missing.
FileResponse read_response(const std::string& path, Index rows);

// Stores the response in the dataset. Words become classes in byte order, coded by their index. `place`
// names file and column in the message about too many classes.
void set_response(Dataset& data, FileResponse response, const std::string& place);

}  // namespace alo::data
