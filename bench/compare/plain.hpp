// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"

namespace compare {

// A problem without intercept and without standardisation.
alo::Problem plain_problem(alo::Dataset data, alo::Loss loss, alo::Penalty penalty);

// Such a problem with a dense design, with one row removed.
alo::Problem without_row(const alo::Problem& problem, alo::Index row);

}  // namespace compare
