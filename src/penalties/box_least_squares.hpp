// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo {

// argmin_u |y - D'u|^2 with |u_k| <= bound, by an active set; of several the one that the steps of least
// length from the solution without bounds lead to. Those at a bound are exactly there.
Vector box_least_squares(const SparseMatrix& differences, const VectorView& target, double bound);

// The smallest bound with which D'u = y for some u, y being in the range of D'.
double least_bound(const SparseMatrix& differences, const VectorView& target);

}  // namespace alo
