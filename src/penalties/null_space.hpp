// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// A basis of { b : R b = 0 }, one direction a column, by sparse elimination: each pivot coefficient is
// expressed in those that remain free. Rows that depend on others are found out and do not matter. Of
// differences the columns are indicators of what moves together. Of a matrix with many entries and columns
// the basis is orthonormal.
SparseMatrix null_space(const SparseMatrix& rows);

}  // namespace alo
