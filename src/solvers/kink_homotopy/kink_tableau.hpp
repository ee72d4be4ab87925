// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// A pivot of a factor below this share of its diagonal entry: the rows depend on each other.
inline constexpr double row_dependence_tolerance = 1e-10;

// The tableau (PivotTableau) of
//
//     G_VV  -F_V   G_VN
//     -F_V'   0   -F_N'
//     G_NV  -F_N   G_NN
//
// pivoted at V and c: at V through the Cholesky factor of G_VV, which leaves -C, C = F_V' G_VV^-1 F_V, in the
// middle, then at c. None where either is singular to rounding: rows of V depend on each other, or do not
// determine c. `system` has the matrix.
std::optional<Matrix> kink_tableau(Matrix system, Index pinned, Index free);

// Rows whose Gram matrix is not singular and that span the others, by a Cholesky factorisation with pivoting.
std::vector<Index> independent_rows(Matrix gram);

}  // namespace alo
