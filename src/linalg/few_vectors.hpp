// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/types.hpp"

// Products of many columns, which need not be adjacent in memory, with a few vectors. The bandwidth of memory
// limits them, so every column is read once, four columns at a time: one stream alone does not use the whole
// bandwidth, and a matrix product would first copy the columns.
namespace alo {

// result(k, c) = columns[k]'vectors.col(c).
void dot_columns(std::span<const double* const> columns, const MatrixView& vectors,
                 Eigen::Ref<Matrix> result);
// sums.col(c) += the sum over k of coefficients(k, c) columns[k].
void add_columns(std::span<const double* const> columns, const MatrixView& coefficients,
                 Eigen::Ref<Matrix> sums);

}  // namespace alo
