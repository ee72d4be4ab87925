// SPDX-License-Identifier: MIT
#pragma once

#include "certificate/null_fit.hpp"

namespace alo {

// The null fit of a loss with kinks: a weighted quantile where there is but an intercept, in the middle where
// several are best. Rows at the kink share what is left of the gradient in proportion to their weights.
NullFit kinked_null_fit(const Problem& problem, const Vector& weights);

}  // namespace alo
