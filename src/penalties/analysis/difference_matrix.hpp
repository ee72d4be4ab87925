// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// The differences of an order of p coefficients in a row; each row of the matrix has one.
SparseMatrix difference_matrix(Index columns, int order);
// An orthonormal basis of the polynomials of degree below `count` on equidistant points. A single column, of
// constants, is ones and not scaled.
Matrix polynomials(Index points, Index count);

}  // namespace alo
