// SPDX-License-Identifier: MIT
#include "summary/parts.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace alo::report {

namespace {

Parts nonzero_groups(std::span<const Index> groups, const Fit& fit) {
  const Index total = *std::ranges::max_element(groups) + 1;
  std::vector<char> is_nonzero(static_cast<std::size_t>(total), 0);
  Index count = 0;
  for (Index j = 0; j < fit.coefficients.size(); ++j) {
    char& mark = is_nonzero[static_cast<std::size_t>(groups[static_cast<std::size_t>(j)])];
    if (fit.coefficients[j] == 0.0 || mark != 0) continue;
    mark = 1;
    ++count;
  }
  return {"groups", "groups not zero", fmt::format("in {} of {} groups", count, total), count};
}

// Equal absolute values are those on the scale of the fit; each set of them is one direction.
Parts different_sizes(const Problem& problem, const Fit& fit) {
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  const Index count = problem.penalty().geometry(scaled, Vector(), fit.lambda).dimension();
  return {"sizes", "different sizes", fmt::format("of {} different size{}", count, count == 1 ? "" : "s"),
          count};
}

}  // namespace

std::optional<Parts> parts_of(const Problem& problem, const Fit& fit) {
  if (fit.coefficients.size() == 0) return std::nullopt;
  const std::span<const Index> groups = problem.penalty().groups();
  if (!groups.empty()) return nonzero_groups(groups, fit);
  if (problem.penalty().has_clusters()) return different_sizes(problem, fit);
  return std::nullopt;
}

std::optional<Index> group_number(const Problem& problem, Index column) {
  const std::span<const Index> groups = problem.penalty().groups();
  if (groups.empty() || column >= problem.columns()) return std::nullopt;
  return groups[static_cast<std::size_t>(column)] + 1;
}

}  // namespace alo::report
