// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "experiment.hpp"

namespace paper {

// The paper's theorem on nonsmooth losses in its full generality: losses with kinks and with curvature off
// them (BentLoss), with penalties that are quadratic and that are not. A table, claims and checks.
void add_nonsmooth(Context& context, std::uint64_t seeds, Outcome& outcome);
// The number of records that this takes.
std::size_t nonsmooth_units(std::uint64_t seeds);

}  // namespace paper
