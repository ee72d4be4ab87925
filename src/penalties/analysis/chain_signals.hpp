// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "alo/penalty.hpp"
#include "alo/signal_patterns.hpp"

namespace alo {

// Signals whose terms are the differences of an order k >= 1 of their rows, of which there are more than k.
std::unique_ptr<const SignalPatterns> chain_signals(int order);

// argmin_x |x - b|^2 / 2 + lambda sum_i |x_(i+1) - x_i| of one coefficient or more, its multipliers marked as
// Fit::multipliers are.
Proximal marked_chain_prox(const VectorView& b, double lambda);

}  // namespace alo
