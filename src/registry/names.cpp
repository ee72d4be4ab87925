// SPDX-License-Identifier: MIT
// Names that are unknown, and those that were meant.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "registry/table.hpp"

namespace alo {

namespace {

// The Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours that turn
// one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t substitute = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, substitute});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& name : known) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

void refuse_name(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  const auto near = nearest_name(name, known);
  throw InvalidArgument(fmt::format("there is no {} called '{}' in this version{}; available: {}", kind, name,
                                    near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                    fmt::join(known, ", ")));
}

}  // namespace alo
