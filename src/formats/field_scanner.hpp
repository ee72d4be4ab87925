// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <deque>
#include <string>
#include <string_view>

#include "alo/types.hpp"
#include "formats/delimited.hpp"
#include "formats/number.hpp"

namespace alo::data {

// Walks over the fields of delimited text without copying them. The caller reads the first field of a row
// by next_number or next_field, further ones as long as more_in_row is true, and ends the row by end_row.
class FieldScanner {
 public:
  FieldScanner(std::string_view content, Dialect dialect, std::string path, Index first_line)
      : position_(content.data()),
        end_(content.data() + content.size()),
        dialect_(dialect),
        path_(std::move(path)),
        line_(first_line) {}

  bool at_end() const { return position_ == end_; }
  // The current line of the file, from 1.
  Index line() const { return line_; }
  std::string_view rest() const { return {position_, static_cast<std::size_t>(end_ - position_)}; }

  // Skips lines with nothing but blanks; returns whether there were any.
  bool skip_blank_lines();

  // The fast path for most fields: reads a plain finite number that fills the field. Otherwise it returns
  // false and does not move.
  bool next_number(double& value) {
    const char* begin = skip_blanks(position_);
    const char* after = scan_number(begin, end_, value);
    if (after == nullptr || !std::isfinite(value)) return false;
    after = skip_blanks(after);
    if (!ends_field(after) && !(dialect_.runs && after != begin && is_blank(after[-1]))) return false;
    position_ = after;
    return true;
  }

  // Reads any field: an unquoted one without surrounding blanks, a quoted one as it stands. A field with
  // doubled quotes is stored in `unquoted`, so that the view has something to point to.
  std::string_view next_field(std::deque<std::string>& unquoted);

  // Called after a field: skips the delimiter and returns whether another field follows.
  bool more_in_row() {
    if (dialect_.runs) return !ends_row(position_);
    if (position_ == end_ || *position_ != dialect_.delimiter) return false;
    ++position_;
    return true;
  }

  void end_row();

 private:
  bool is_padding(char c) const { return is_blank(c) && (dialect_.runs || c != dialect_.delimiter); }
  const char* skip_blanks(const char* at) const {
    while (at != end_ && is_padding(*at)) ++at;
    return at;
  }
  bool ends_row(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && (at + 1 == end_ || at[1] == '\n'));
  }
  bool ends_field(const char* at) const { return at == end_ || *at == dialect_.delimiter || ends_row(at); }
  std::string_view quoted_field(const char* begin, std::deque<std::string>& unquoted);

  const char* position_;
  const char* end_;
  Dialect dialect_;
  std::string path_;
  Index line_;
};

}  // namespace alo::data
