// SPDX-License-Identifier: MIT
#pragma once

#include "certificate/null_fit.hpp"

namespace alo {

// The null fit of a loss with kinks. With an intercept alone it is a weighted quantile of the kinks, which is
// found by sorting. If an interval of intercepts is optimal, it is the middle, and rows at the kink take
// subgradients in proportion to their weights. With further columns it is a vertex of a linear program
// (kink_simplex.hpp). A finite minimiser always exists, because the loss is bounded below and piecewise
// linear with finitely many pieces.
NullFit kinked_null_fit(const UnpenalizedPart& free);

}  // namespace alo
