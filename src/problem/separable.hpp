// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"

namespace alo {

// True when there are penalised coefficients and the penalty of each contains its absolute value.
bool has_absolute_values(const SeparableTerms& terms);

// True when the penalty is a sum of squares of single coefficients, without absolute values.
bool is_ridge(const Problem& problem);

}  // namespace alo
