// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// The positions of the observations of a rows x columns matrix: observation j is at (row[j], column[j]), and
// several may be at the same place. They are kept sorted by row and then by column; `sorted` and `as_given`
// permute a vector with one number per observation.
class EntryList {
 public:
  // Throws InvalidData where a place is outside the matrix or the sizes differ.
  EntryList(Index rows, Index columns, const std::vector<Index>& row, const std::vector<Index>& column);

  Index size() const { return static_cast<Index>(column_.size()); }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  // The entries of row i are first(i) ... first(i + 1) - 1.
  Index first(Index row) const { return first_[static_cast<std::size_t>(row)]; }
  int column(Index entry) const { return column_[static_cast<std::size_t>(entry)]; }
  const int* column_data() const { return column_.data(); }
  const Index* first_data() const { return first_.data(); }

  Vector sorted(const VectorView& as_given) const;
  Vector as_given(const VectorView& sorted) const;

 private:
  Index rows_ = 0;
  Index columns_ = 0;
  std::vector<Index> first_;
  std::vector<int> column_;
  std::vector<Index> given_;  // the caller's number of a sorted entry
};

}  // namespace alo
