// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::example {

// Simulated classes: two labels make a logistic problem (the second one is +1), more a multinomial one.
Problem class_problem(const std::vector<std::string>& labels);

// Simulated counts with a Poisson loss.
Problem count_problem();

// A result for either without the solvers: coefficients that grow towards those of the simulation, held-out
// predictors a little behind the fitted ones, and the deviance at them. The third row has no held-out
// prediction where `undefined`.
TuneResult deviance_result(const Problem& problem, bool undefined = false);

}  // namespace alo::example
