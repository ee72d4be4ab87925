// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/types.hpp"

// Products of many columns, wherever they lie, with a few vectors. Memory sets the pace, so columns are
// read once, four side by side: one by one they would be waited for, and a matrix product would copy them.
namespace alo {

// result(k, c) = columns[k]'vectors.col(c).
void dot_columns(std::span<const double* const> columns, const MatrixView& vectors,
                 Eigen::Ref<Matrix> result);
// sums.col(c) += the sum over k of coefficients(k, c) columns[k].
void add_columns(std::span<const double* const> columns, const MatrixView& coefficients,
                 Eigen::Ref<Matrix> sums);

}  // namespace alo
