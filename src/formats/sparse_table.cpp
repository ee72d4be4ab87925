// SPDX-License-Identifier: MIT
#include "formats/sparse_table.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo::data {

void check_sparse_size(const std::string& path, Index rows, Index columns, std::size_t entries) {
  // `largest`: Eigen's sparse matrices have 32-bit indices. The other two separate sparse data from
  // mistyped indices: a side may exceed the number of entries a hundredfold, and a million is always
  // allowed, since it takes 8 MB. At ten times these values a mistyped index could allocate a gigabyte for
  // a small file.
  constexpr Index largest = std::numeric_limits<int>::max();
  constexpr std::size_t always_plausible = 1'000'000;
  constexpr std::size_t plausible_per_entry = 100;
  const Index size = std::max(rows, columns);
  if (size >= largest || entries >= static_cast<std::size_t>(largest)) {
    throw InvalidData(
        fmt::format("{}: {} rows, {} columns and {} entries are more than a sparse matrix can hold "
                    "(2^31 of each)",
                    path, rows, columns, entries));
  }
  if (static_cast<std::size_t>(size) > std::max(always_plausible, plausible_per_entry * entries)) {
    throw InvalidData(
        fmt::format("{}: {} rows and {} columns for only {} entries; correct the index or the size "
                    "that asks for so many",
                    path, rows, columns, entries));
  }
}

SparseMatrix choose_columns(const SparseMatrix& values, const std::vector<Index>& columns) {
  const auto exists = [&](Index column) { return column < values.cols(); };
  Eigen::VectorXi counts = Eigen::VectorXi::Zero(static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (exists(columns[k]))
      counts[static_cast<Index>(k)] = static_cast<int>(values.col(columns[k]).nonZeros());
  }
  SparseMatrix chosen(values.rows(), static_cast<Index>(columns.size()));
  chosen.reserve(counts);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!exists(columns[k])) continue;
    for (SparseMatrix::InnerIterator entry(values, columns[k]); entry; ++entry) {
      chosen.insert(entry.row(), static_cast<Index>(k)) = entry.value();
    }
  }
  chosen.makeCompressed();
  return chosen;
}

}  // namespace alo::data
