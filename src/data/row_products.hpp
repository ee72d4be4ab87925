// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/design.hpp"
#include "linalg/row_pass.hpp"

// Products with a block R of the rows of a design, for passes over the rows (linalg/row_pass.hpp).
namespace alo {

// How many rows a block should have: as many as stay in the cache with the results of their products. A
// sparse design is stored by columns, so that all of its rows are one block.
Index rows_of_block(const Design& design);

// X~_RS B_S for columns S, the block of Design::multiply_columns.
Matrix multiply_rows(const Design& design, const RowBlock& rows, std::span<const Index> columns,
                     const MatrixView& coefficients);
// Adds X_R'V to sums. X has the stored columns, without centre and scale.
void add_transposed_rows(const Design& design, const RowBlock& rows, const MatrixView& values, Matrix& sums);
// X~_RS, the block of Design::gather, of a dense design.
Matrix gather_rows(const Design& design, const RowBlock& rows, std::span<const Index> columns);

}  // namespace alo
