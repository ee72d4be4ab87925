// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "alo/types.hpp"
#include "formats/number.hpp"

namespace alo::data {

// Walks over the lines of a text; a carriage return before the end of a line is removed.
class LineScanner {
 public:
  explicit LineScanner(std::string_view content) : rest_(content) {}

  // Gives the next line; false at the end.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }

  // The number, from 1, of the last line given.
  Index number() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  Index number_ = 0;
};

// Removes the next word, up to a blank, from the front of `line` and returns it; empty at the end of the
// line.
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
