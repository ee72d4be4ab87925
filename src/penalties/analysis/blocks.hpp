// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// Coefficients that are equal block by block.
struct BlockNumbers {
  static constexpr Index at_zero = -1;

  std::vector<Index> of;  // the block of each coefficient, from 0, or `at_zero`
  Index count = 0;        // of blocks
};

// The indicator of each block, one a column.
SparseMatrix block_indicators(const BlockNumbers& blocks);
// The nearest vector that is constant on blocks: their means. Members that are equal already stay as they
// are.
Vector block_means(const BlockNumbers& blocks, const VectorView& values);

}  // namespace alo
