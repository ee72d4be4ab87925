// SPDX-License-Identifier: MIT
#include "values.hpp"

#include <charconv>
#include <cmath>

namespace alo::command {

namespace {

template <class T>
bool parse_whole(const std::string& text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

double parse_number(const std::string& option, const std::string& text) {
  double value = 0;
  if (!parse_whole(text, value)) {
    throw InvalidArgument(fmt::format("{}: '{}' is not a number", option, text));
  }
  if (!std::isfinite(value)) {
    throw InvalidArgument(fmt::format("{}: '{}' is not a finite number", option, text));
  }
  return value;
}

double parse_positive(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value <= 0) throw InvalidArgument(fmt::format("{}: {} is not greater than 0", option, text));
  return value;
}

std::uint64_t parse_count(const std::string& option, const std::string& text, std::uint64_t smallest,
                          std::uint64_t largest) {
  std::uint64_t value = 0;
  if (!parse_whole(text, value) || value < smallest || value > largest) {
    throw InvalidArgument(
        fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, smallest, largest));
  }
  return value;
}

std::vector<std::string> parse_list(const std::string& option, const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    const std::string part = text.substr(begin, comma == std::string::npos ? comma : comma - begin);
    if (part.empty()) {
      throw InvalidArgument(
          fmt::format("{}: '{}' has an empty part; separate values by single commas", option, text));
    }
    parts.push_back(part);
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

}  // namespace alo::command
