// SPDX-License-Identifier: MIT
#pragma once

#include "alo/tune.hpp"

namespace alo {

// Approximate leave-one-out at a fit whose linear predictor is known. For a linear program, which has none,
// every row is flagged.
LeaveOneOut approximation(const Problem& problem, const Fit& fit, Framework framework);

}  // namespace alo
