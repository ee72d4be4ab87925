// SPDX-License-Identifier: MIT
#pragma once

#include "alo/penalties/generalized_lasso.hpp"
#include "alo/problem.hpp"

namespace alo {

// True for a design that is the identity: each coefficient is the prediction of a row of its own.
bool is_identity(const Design& design);
// The penalty of a signal, a generalised lasso with such a design; else null.
const GeneralizedLasso* signal_penalty(const Problem& problem);

}  // namespace alo
