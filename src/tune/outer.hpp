// SPDX-License-Identifier: MIT
#pragma once

#include "alo/tune.hpp"

namespace alo {

// Throws InvalidArgument or InvalidData where outer folds are asked for and cannot be had.
void check_outer(const Problem& problem, const TuneOptions& options);

// The error of the whole procedure, the choice of lambda included: for each fold the training rows are tuned
// with the same options, and the fit of the chosen lambda predicts the rows of the fold. Folds run in
// parallel, each on one thread. Throws InvalidData that names a fold without whose rows there is no problem
// to be tuned.
OuterRisk outer_folds(const Problem& problem, const TuneOptions& options, const Monitor& monitor);

}  // namespace alo
