// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"

namespace compare {

// No intercept, nothing standardised.
alo::Problem plain_problem(alo::Dataset data, alo::Loss loss, alo::Penalty penalty);

// Such a problem with a dense design, without one of its rows.
alo::Problem without_row(const alo::Problem& problem, alo::Index row);

}  // namespace compare
