// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/types.hpp"

// Products of the columns S of a sparse matrix A with several vectors. Latency limits them: an entry meets
// its row of the vectors, which lies anywhere. So the vectors are put side by side, a cache line of eight
// numbers at a time, and an entry meets eight of them for the price of one.
namespace alo {

// A matrix of compressed columns, whoever owns it.
using SparseView = Eigen::Ref<const SparseMatrix>;

// A_S B.
Matrix multiply_sparse(const SparseView& values, std::span<const Index> columns, const MatrixView& right);
// A_S'B.
Matrix transpose_multiply_sparse(const SparseView& values, std::span<const Index> columns,
                                 const MatrixView& right);

}  // namespace alo
