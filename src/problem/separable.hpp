// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"

namespace alo {

// True when every penalised coefficient has an absolute value in its penalty, and there are such.
bool has_absolute_values(const SeparableTerms& terms);

// True when the penalty is a sum of squares of single coefficients, without absolute values.
bool is_ridge(const Problem& problem);

}  // namespace alo
