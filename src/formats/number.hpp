// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include <fast_float/fast_float.h>

namespace alo::data {

enum class EntryKind { number, missing, text };

// The content of one field of a text file. A number may be infinite; a missing one is NaN.
struct Entry {
  EntryKind kind;
  double value;
};

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Reads a decimal number at `begin` and returns its end, or null when there is none.
// No locale, no hexadecimal. "1e999" is infinite, "1e-999" is zero.
inline const char* scan_number(const char* begin, const char* end, double& value) {
  if (begin != end && *begin == '+' && end - begin > 1 && begin[1] != '-') ++begin;
  const auto result = fast_float::from_chars(begin, end, value);
  if (result.ec == std::errc()) return result.ptr;
  return result.ec == std::errc::result_out_of_range ? result.ptr : nullptr;
}

// Words for a missing value: an empty field, NA, N/A, NULL, null, ? and NaN.
Entry read_entry(std::string_view text);

}  // namespace alo::data
