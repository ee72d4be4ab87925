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

std::vector<Hint> hints_of(std::initializer_list<ColumnUse> uses) {
  std::vector<Hint> hints;
  for (const ColumnUse& use : uses) {
    if (use.setting) hints.push_back({*use.setting});
  }
  return hints;
}

// What each column was asked for first, to refuse a second use.
class Uses {
 public:
  explicit Uses(const Heading& heading)
      : heading_(heading), uses_(static_cast<std::size_t>(heading.columns)) {}

  bool is_free(Index column) const { return !uses_[static_cast<std::size_t>(column)]; }

  std::optional<Index> claim(const std::string& reference, const ColumnUse& use) {
    if (reference.empty()) return std::nullopt;
    const Index column = find_column(heading_, reference, use);
    std::optional<ColumnUse>& first = uses_[static_cast<std::size_t>(column)];
    if (first) {
      throw InvalidData(fmt::format("{}: {} is to {} and to {}; it can have one use only", heading_.path,
                                    heading_.label(column), first->words, use.words),
                        hints_of({*first, use}));
    }
    first = use;
    return column;
  }

 private:
  const Heading& heading_;
  std::vector<std::optional<ColumnUse>> uses_;
};

}  // namespace

Index find_column(const Heading& heading, const std::string& reference, const ColumnUse& use) {
  const auto found = std::find(heading.names.begin(), heading.names.end(), reference);
  if (found != heading.names.end()) return found - heading.names.begin();
  Index position = 0;
  const char* end = reference.data() + reference.size();
  const auto [stop, error] = std::from_chars(reference.data(), end, position);
  if (error == std::errc() && stop == end && position >= 1 && position <= heading.columns)
    return position - 1;
  const auto near = nearest_name(reference, heading.names);
  throw InvalidData(
      fmt::format("{} has no column '{}' to {}{}; {}", heading.path, reference, use.words,
                  near ? fmt::format(" (did you mean '{}'?)", *near) : "", list_columns(heading)),
      hints_of({use}));
}

Roles assign_roles(const Heading& heading, const ReadOptions& options, bool has_target) {
  Uses uses(heading);
  Roles roles;
  roles.target = uses.claim(has_target ? options.target : "", {"be the target", Setting::target});
  roles.weights = uses.claim(options.weights, {"be the weights", Setting::weights});
  roles.offset = uses.claim(options.offset, offset_use);
  for (const std::string& name : options.drop) uses.claim(name, {"be left out", Setting::drop});
  for (Index column = 0; column < heading.columns; ++column) {
    if (uses.is_free(column)) roles.predictors.push_back(column);
  }
  if (has_target && !roles.target) {
    if (roles.predictors.empty()) {
      throw InvalidData(fmt::format("{}: no column is left for the response; name the target", heading.path),
                        {{Setting::target}});
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
