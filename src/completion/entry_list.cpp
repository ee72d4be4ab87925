// SPDX-License-Identifier: MIT
#include "completion/entry_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "alo/error.hpp"

namespace alo {

EntryList::EntryList(Index rows, Index columns, const std::vector<Index>& row,
                     const std::vector<Index>& column)
    : rows_(rows), columns_(columns), first_(static_cast<std::size_t>(rows) + 1, 0), given_(row.size()) {
  if (row.size() != column.size()) {
    throw InvalidData(
        fmt::format("there are {} row numbers and {} column numbers", row.size(), column.size()));
  }
  if (columns > std::numeric_limits<int>::max()) {
    throw InvalidData(fmt::format("a matrix of {} columns is too wide", columns));
  }
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j] < 0 || row[j] >= rows || column[j] < 0 || column[j] >= columns) {
      throw InvalidData(fmt::format("observation {} is at ({}, {}), outside the {} x {} matrix", j + 1,
                                    row[j] + 1, column[j] + 1, rows, columns));
    }
    ++first_[static_cast<std::size_t>(row[j]) + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::iota(given_.begin(), given_.end(), Index{0});
  std::ranges::stable_sort(given_, [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return std::pair(row[i], column[i]) < std::pair(row[j], column[j]);
  });
  column_.reserve(column.size());
  for (const Index j : given_) column_.push_back(static_cast<int>(column[static_cast<std::size_t>(j)]));
}

Vector EntryList::sorted(const VectorView& as_given) const {
  return as_given(given_);
}

Vector EntryList::as_given(const VectorView& sorted) const {
  Vector result(sorted.size());
  result(given_) = sorted;
  return result;
}

}  // namespace alo
