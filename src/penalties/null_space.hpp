// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// A basis of { b : R b = 0 }, one direction a column, by sparse Gaussian elimination: each pivot coefficient
// is expressed in those that remain free. Rows that depend on others are recognised and left out. If the rows
// are differences, the columns of the basis are indicators of the coefficients that move together. For a
// dense matrix of many columns the basis is orthonormal.
SparseMatrix null_space(const SparseMatrix& rows);

// The columns of the identity that belong to the chosen coordinates.
SparseMatrix coordinate_basis(Index columns, const std::vector<Index>& chosen);
// What a norm leaves unpenalised: nothing at lambda > 0, and all coefficients at lambda = 0.
SparseMatrix free_without_lambda(Index columns, double lambda);

}  // namespace alo
