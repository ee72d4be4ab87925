// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The tableau (PivotTableau) of
//
//     G_VV  -F_V   G_VN
//     -F_V'   0   -F_N'
//     G_NV  -F_N   G_NN
//
// (the argument `system`) pivoted at V and c: first at V through the Cholesky factor of G_VV, which leaves -C
// with C = F_V' G_VV^-1 F_V in the middle, then at c. None where a pivot is below tableau_pivot: rows of V
// depend on each other, or do not determine c.
std::optional<Matrix> kink_tableau(Matrix system, Index pinned, Index free);

// A largest set of independent rows, from their Gram matrix by Cholesky factorisation with complete pivoting.
std::vector<Index> independent_rows(Matrix gram);

}  // namespace alo
