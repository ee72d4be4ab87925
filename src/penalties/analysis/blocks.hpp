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

// The indicators of the blocks, one column each.
SparseMatrix block_indicators(const BlockNumbers& blocks);
// The nearest vector that is constant on blocks, which has the mean of each. Members that are equal already
// keep their value to the last digit.
Vector block_means(const BlockNumbers& blocks, const VectorView& values);

}  // namespace alo
