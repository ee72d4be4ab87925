// SPDX-License-Identifier: MIT
#include "summary/parts.hpp"

#include <fmt/format.h>

#include <vector>

#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"

namespace alo::report {

namespace {

const GroupNorms* groups_of(const Problem& problem) {
  if (const auto* group_lasso = problem.penalty().as<GroupLasso>()) return group_lasso;
  return problem.penalty().as<SparseGroupLasso>();
}

Parts nonzero_groups(const GroupNorms& groups, const Fit& fit) {
  std::vector<char> is_nonzero(static_cast<std::size_t>(groups.groups()), 0);
  Index count = 0;
  for (Index j = 0; j < fit.coefficients.size(); ++j) {
    char& mark = is_nonzero[static_cast<std::size_t>(groups.group_of(j))];
    if (fit.coefficients[j] == 0.0 || mark != 0) continue;
    mark = 1;
    ++count;
  }
  return {"groups", "groups not zero", fmt::format("in {} of {} groups", count, groups.groups()), count};
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
  if (const GroupNorms* groups = groups_of(problem)) return nonzero_groups(*groups, fit);
  if (problem.penalty().as<Slope>() != nullptr) return different_sizes(problem, fit);
  return std::nullopt;
}

std::optional<Index> group_number(const Problem& problem, Index column) {
  const GroupNorms* groups = groups_of(problem);
  if (groups == nullptr || column >= problem.columns()) return std::nullopt;
  return groups->group_of(column) + 1;
}

}  // namespace alo::report
