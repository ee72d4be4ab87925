// SPDX-License-Identifier: MIT
#include "formats/field_scanner.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo::data {

bool FieldScanner::skip_blank_lines() {
  bool any = false;
  while (position_ != end_) {
    const char* at = position_;
    while (at != end_ && is_blank(*at)) ++at;
    // In a file separated by tabs, a line of tabs is a row of missing entries and not a blank line.
    const bool fields = !dialect_.runs && std::find(position_, at, dialect_.delimiter) != at;
    if (fields || !ends_row(at)) break;
    position_ = at;
    end_row();
    any = true;
  }
  return any;
}

void FieldScanner::end_row() {
  if (position_ != end_ && *position_ == '\r') ++position_;
  if (position_ != end_ && *position_ == '\n') ++position_;
  ++line_;
}

std::string_view FieldScanner::next_field(std::deque<std::string>& unquoted) {
  const char* begin = skip_blanks(position_);
  if (begin != end_ && *begin == '"') return quoted_field(begin + 1, unquoted);
  const char* at = begin;
  while (!ends_field(at) && !(dialect_.runs && is_blank(*at))) ++at;
  position_ = dialect_.runs ? skip_blanks(at) : at;
  return trim({begin, static_cast<std::size_t>(at - begin)});
}

std::string_view FieldScanner::quoted_field(const char* begin, std::deque<std::string>& unquoted) {
  const Index first_line = line_;
  std::string* copy = nullptr;
  const char* piece = begin;
  const char* quote = begin;
  while (true) {
    quote = static_cast<const char*>(std::memchr(piece, '"', static_cast<std::size_t>(end_ - piece)));
    if (quote == nullptr) {
      throw InvalidData(
          fmt::format("{}, row {}: a quoted field does not end; close it with \"", path_, first_line));
    }
    line_ += std::count(piece, quote, '\n');
    const bool doubled = quote + 1 != end_ && quote[1] == '"';
    if (doubled && copy == nullptr) copy = &unquoted.emplace_back();
    if (copy != nullptr) copy->append(piece, quote + (doubled ? 1 : 0));
    if (!doubled) break;
    piece = quote + 2;
  }
  const char* after = skip_blanks(quote + 1);
  if (!ends_field(after) && !(dialect_.runs && after != quote + 1)) {
    throw InvalidData(
        fmt::format("{}, row {}: text follows the end of a quoted field; write a quote inside a "
                    "quoted field as \"\"",
                    path_, line_));
  }
  position_ = after;
  return copy != nullptr ? std::string_view(*copy)
                         : std::string_view(begin, static_cast<std::size_t>(quote - begin));
}

}  // namespace alo::data
