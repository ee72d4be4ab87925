// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "alo/penalty.hpp"
#include "alo/signal_patterns.hpp"

namespace alo {

// Signals with more than k rows, whose terms are the differences of order k >= 1 of the rows.
std::unique_ptr<const SignalPatterns> chain_signals(int order);

// argmin_x |x - b|^2 / 2 + lambda sum_i |x_(i+1) - x_i| of one coefficient or more, its multipliers marked as
// Fit::multipliers are.
Proximal marked_chain_prox(const VectorView& b, double lambda);

}  // namespace alo
