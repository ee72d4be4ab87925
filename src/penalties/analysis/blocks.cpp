// SPDX-License-Identifier: MIT
#include "penalties/analysis/blocks.hpp"

#include <algorithm>

#include "linalg/special_values.hpp"

namespace alo {

SparseMatrix block_indicators(const BlockNumbers& blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(blocks.of.size());
  for (std::size_t j = 0; j < blocks.of.size(); ++j) {
    if (blocks.of[j] == BlockNumbers::at_zero) continue;
    entries.emplace_back(static_cast<int>(j), static_cast<int>(blocks.of[j]), 1.0);
  }
  SparseMatrix result(static_cast<Index>(blocks.of.size()), blocks.count);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Vector block_means(const BlockNumbers& blocks, const VectorView& values) {
  Vector sum = Vector::Zero(blocks.count);
  Vector size = Vector::Zero(blocks.count);
  Vector least = Vector::Constant(blocks.count, infinity);
  Vector most = Vector::Constant(blocks.count, -infinity);
  for (Index j = 0; j < values.size(); ++j) {
    const Index block = blocks.of[static_cast<std::size_t>(j)];
    if (block == BlockNumbers::at_zero) continue;
    sum[block] += values[j];
    size[block] += 1.0;
    least[block] = std::min(least[block], values[j]);
    most[block] = std::max(most[block], values[j]);
  }
  const Vector mean = (least.array() == most.array()).select(least.array(), sum.array() / size.array());
  Vector result = Vector::Zero(values.size());
  for (Index j = 0; j < values.size(); ++j) {
    const Index block = blocks.of[static_cast<std::size_t>(j)];
    if (block != BlockNumbers::at_zero) result[j] = mean[block];
  }
  return result;
}

}  // namespace alo
