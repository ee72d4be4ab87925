// SPDX-License-Identifier: MIT
#pragma once

#include "alo/penalties/generalized_lasso.hpp"
#include "alo/problem.hpp"

namespace alo {

// True for an identity design: each row has its own coefficient, which is its prediction.
bool is_identity(const Design& design);
// The penalty of a signal, that is, of a problem with identity design and generalised lasso; else null.
const GeneralizedLasso* signal_penalty(const Problem& problem);

}  // namespace alo
