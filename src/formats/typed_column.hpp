// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/table.hpp"

namespace alo::data {

// A column that is known to hold numbers or words.
struct TypedColumn {
  Index column = 0;
  bool is_text = false;
  Index missing = 0;
  // For a text column: the word of every row, empty where missing. A number among words counts as a word in
  // its shortest form, so that 1 and 1.0 are the same level.
  std::vector<std::string> words;

  bool is_missing(const Table& table, Index row) const;
};

// The largest number of levels of a text column. More distinct words are usually identifiers or dates, and
// each would become a column of the design. At ten times the value a column of names would add hundreds of
// indicator columns without a warning.
inline constexpr std::size_t level_limit = 20;

// A column is text when more than half of its entries are words. Throws InvalidData, which names the place,
// for a word among numbers and for an infinite number.
TypedColumn type_column(const Table& table, Index column);

// The same for a column that must hold numbers.
TypedColumn type_number_column(const Table& table, Index column, std::string_view role);

// Text from a file, shortened for a message.
std::string excerpt(std::string_view text);

// The word of every row, empty where missing.
std::vector<std::string> words_of(const Table& table, Index column);

// The distinct words in byte order, without empty ones. Throws InvalidData when there are more than
// `level_limit`.
std::vector<std::string> find_levels(const Table& table, Index column, const std::vector<std::string>& words);

[[noreturn]] void refuse_word(const Table& table, Index column, const TextEntry& entry);

}  // namespace alo::data
