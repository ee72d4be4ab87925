// SPDX-License-Identifier: MIT
#include "formats/number.hpp"

#include <algorithm>
#include <array>

namespace alo::data {

Entry read_entry(std::string_view text) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<std::string_view, 5> words = {"NA", "N/A", "NULL", "null", "?"};
  text = trim(text);
  if (text.empty() || std::find(words.begin(), words.end(), text) != words.end()) {
    return {EntryKind::missing, nan};
  }
  double value = nan;
  const char* end = text.data() + text.size();
  if (scan_number(text.data(), end, value) != end) return {EntryKind::text, nan};
  return {std::isnan(value) ? EntryKind::missing : EntryKind::number, value};
}

}  // namespace alo::data
