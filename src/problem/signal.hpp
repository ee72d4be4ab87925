// SPDX-License-Identifier: MIT
#pragma once

#include "alo/analysis_operator.hpp"
#include "alo/problem.hpp"

namespace alo {

// True for an identity design: each row has its own coefficient, which is its prediction.
bool is_identity(const Design& design);
// The analysis operator D of a signal: such a design with a penalty lambda |D b|_1. Else null.
const AnalysisOperator* signal_operator(const Problem& problem);

}  // namespace alo
