// SPDX-License-Identifier: MIT
#pragma once

#include "linear_model.hpp"
#include "records.hpp"

namespace paper {

// Finds, at one lambda of a lasso, the row with the largest share of the difference between the risks of
// ALO and of exact leave-one-out, and what leaving it out does. The record has: lambda; difference and
// "without it" (ALO / exact - 1 of all rows and of all others); noise (of the row, in standard deviations
// of the model); leverage; residual; alo and exact (its held-out residuals); "exact to refit"; active,
// entered, left (numbers of columns in a fit without the row).
Json heaviest_row(const Simulation& simulation, double lambda);

}  // namespace paper
