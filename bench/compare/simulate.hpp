// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "alo/dataset.hpp"

namespace compare {

// Simulated regressions y = X b + e, the same for the same numbers here. `effects` coefficients at random
// places are +1 or -1, the others zero; e is normal.
struct Simulation {
  alo::Index rows = 0;
  alo::Index columns = 0;
  alo::Index effects = 0;
  double noise_variance = 0.5;
  std::uint64_t seed = 1;
};

// Rows of X from a stationary normal process with unit variances and cor(x_ij, x_ik) = correlation^|j - k|;
// correlation 0 gives independent columns.
alo::Dataset simulate_dense(const Simulation& simulation, double correlation);

// Columns of X with `entries` standard normal values each, in random rows.
alo::Dataset simulate_sparse(const Simulation& simulation, alo::Index entries);

}  // namespace compare
