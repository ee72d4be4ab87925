// SPDX-License-Identifier: MIT
#pragma once

#include "alo/tune.hpp"

namespace alo {

// Approximate leave-one-out at a fit whose linear predictor is known. For a linear program, which has none,
// every row is flagged.
LeaveOneOut approximation(const Problem& problem, const Fit& fit, Framework framework);

// Replaces undefined approximate predictions by exact ones, if the options ask for it. False when the monitor
// stopped it.
bool repair_undefined(const Problem& problem, const Fit& fit, const TuneOptions& options,
                      const Monitor& monitor, LeaveOneOut& held_out);

}  // namespace alo
