// SPDX-License-Identifier: MIT
#pragma once

#include "certificate/null_fit.hpp"

namespace alo {

// The null fit of a loss with kinks. With an intercept alone it is a weighted quantile of the kinks, by
// sorting; where an interval of intercepts is best, the middle of it, and rows at the kink share what is left
// of the gradient in proportion to their weights. With further columns it is a vertex of a linear program
// (kink_simplex.hpp). A finite one always exists, for a loss with kinks is bounded below and linear in
// finitely many pieces.
NullFit kinked_null_fit(const UnpenalizedPart& free);

}  // namespace alo
