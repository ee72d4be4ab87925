// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "experiment.hpp"

namespace paper {

// The paper's theorem on the equivalence of its primal and dual approximation, for every loss of the registry
// with at least three penalties: a table, and the claim.
void add_formulas(Context& context, std::uint64_t seeds, Outcome& outcome);
// The number of records that this takes.
std::size_t formula_units();

}  // namespace paper
