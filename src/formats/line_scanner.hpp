// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "alo/types.hpp"
#include "formats/number.hpp"

namespace alo::data {

// Walks over the lines of a text; carriage returns before a line end are cut.
class LineScanner {
 public:
  explicit LineScanner(std::string_view content) : rest_(content) {}

  // The next line, if any.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }

  // Number, from 1, of the line given last.
  Index number() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  Index number_ = 0;
};

// Cuts the next word, up to a blank, off the front of `line`; empty at its end.
inline std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace alo::data
