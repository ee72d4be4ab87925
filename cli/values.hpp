// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"
#include "alo/words.hpp"

namespace alo::command {

// Parsers of option values. Each throws InvalidArgument that names the option, what was given and what is
// expected.

// A finite number.
double parse_number(const std::string& option, const std::string& text);

// A finite number greater than 0.
double parse_positive(const std::string& option, const std::string& text);

// A whole number between the two bounds.
std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t smallest,
                          std::uint64_t largest);

// The parts of "a,b,c", none of which may be empty.
std::vector<std::string> parse_list(const std::string& option, const std::string& text);

// The value that one of several words stands for.
template <class T>
T parse_word(const std::string& option, const std::string& text, const Words<T>& words) {
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (word == text) return value;
    known.push_back(word);
  }
  const auto near = nearest_name(text, known);
  throw InvalidArgument(fmt::format("{} cannot be '{}'{}; it is one of: {}", option, text,
                                    near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                    fmt::join(known, ", ")));
}

}  // namespace alo::command
