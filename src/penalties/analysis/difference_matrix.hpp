// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// Differences of an order of coefficients in a row, one in each row of the matrix.
SparseMatrix difference_matrix(Index columns, int order);
// An orthonormal basis of polynomials of degree below `count` on so many points; constants are exactly so.
Matrix polynomials(Index points, Index count);

}  // namespace alo
