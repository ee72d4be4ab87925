// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "formats/table.hpp"

namespace alo::data {

// A response as a file has it: a number for every row, or a word.
struct FileResponse {
  Vector numbers;                  // empty when it is text
  std::vector<std::string> words;  // empty when it is numbers

  bool is_text() const { return !words.empty(); }
  Index rows() const { return is_text() ? static_cast<Index>(words.size()) : numbers.size(); }
  void keep(const std::vector<Index>& rows);
};

// A file with one column, or one row; and its numbers, of which none may be missing.
Table read_column_table(const std::string& path);
Vector vector_of(const Table& table);

// Reads a file that holds nothing but the response of `rows` rows: one number or word per line, or a
// row of numbers. A first line of text is a heading unless that leaves one line too few.
FileResponse read_response(const std::string& path, Index rows);

// Puts the response into the dataset. Words become classes in byte order and their indices.
// `place` names file and column when there are too many of them.
void set_response(Dataset& data, FileResponse response, const std::string& place);

}  // namespace alo::data
