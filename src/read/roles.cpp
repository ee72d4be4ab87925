// SPDX-License-Identifier: MIT
#include "read/roles.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"

namespace alo::data {

namespace {

std::string list_columns(const Heading& heading) {
  // Column names in a message; twelve fit into two lines of a terminal.
  constexpr std::size_t shown = 12;
  if (!heading.has_names()) {
    return fmt::format("it has no header, so give a position from 1 to {}", heading.columns);
  }
  const auto& names = heading.names;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
  return fmt::format("its columns are {}{}", fmt::join(names.begin(), end, ", "),
                     names.size() > shown ? ", ..." : "");
}

// Records which option asked for each column first, in order to refuse a second use.
class Uses {
 public:
  explicit Uses(const Heading& heading)
      : heading_(heading), used_by_(static_cast<std::size_t>(heading.columns)) {}

  bool is_free(Index column) const { return used_by_[static_cast<std::size_t>(column)].empty(); }

  std::optional<Index> claim(const std::string& reference, const std::string& option) {
    if (reference.empty()) return std::nullopt;
    const Index column = find_column(heading_, reference, option);
    if (!is_free(column)) {
      throw InvalidData(fmt::format("{}: {} is asked for by both {} and {}; it can have one use only",
                                    heading_.path, heading_.label(column),
                                    used_by_[static_cast<std::size_t>(column)], option));
    }
    used_by_[static_cast<std::size_t>(column)] = option;
    return column;
  }

 private:
  const Heading& heading_;
  std::vector<std::string> used_by_;
};

}  // namespace

Index find_column(const Heading& heading, const std::string& reference, std::string_view option) {
  const auto found = std::find(heading.names.begin(), heading.names.end(), reference);
  if (found != heading.names.end()) return found - heading.names.begin();
  Index position = 0;
  const char* end = reference.data() + reference.size();
  const auto [stop, error] = std::from_chars(reference.data(), end, position);
  if (error == std::errc() && stop == end && position >= 1 && position <= heading.columns)
    return position - 1;
  const auto near = nearest_name(reference, heading.names);
  throw InvalidData(fmt::format("{} has no column '{}' ({}{}); {}", heading.path, reference, option,
                                near ? fmt::format("; did you mean '{}'?", *near) : "",
                                list_columns(heading)));
}

Roles assign_roles(const Heading& heading, const ReadOptions& options, bool has_target) {
  Uses uses(heading);
  Roles roles;
  roles.target = uses.claim(has_target ? options.target : "", "--target");
  roles.weights = uses.claim(options.weights, "--weights");
  roles.offset = uses.claim(options.offset, "--offset");
  for (const std::string& name : options.drop) uses.claim(name, "--drop");
  for (Index column = 0; column < heading.columns; ++column) {
    if (uses.is_free(column)) roles.predictors.push_back(column);
  }
  if (has_target && !roles.target) {
    if (roles.predictors.empty()) {
      throw InvalidData(
          fmt::format("{}: no column is left for the response; name it with --target", heading.path));
    }
    roles.target = roles.predictors.back();
    roles.predictors.pop_back();
  }
  return roles;
}

std::vector<std::string> predictor_names(const Heading& heading, const std::vector<Index>& predictors) {
  std::vector<std::string> names;
  names.reserve(predictors.size());
  for (const Index column : predictors) {
    names.push_back(heading.has_names() ? heading.names[static_cast<std::size_t>(column)]
                                        : fmt::format("x{}", names.size() + 1));
  }
  return names;
}

}  // namespace alo::data
