// SPDX-License-Identifier: MIT
#pragma once

#include "alo/analysis_operator.hpp"
#include "alo/problem.hpp"

namespace alo {

// True for an identity design: each row has its own coefficient, which is its prediction.
bool is_identity(const Design& design);
// The analysis operator D of a signal: such a design with a penalty lambda |D b|_1. Else null.
const AnalysisOperator* signal_operator(const Problem& problem);

// The range of each row's own prediction and of those that make the penalty least while all other rows keep
// theirs (AnalysisOperator::best_values): where the row may lie once it no longer counts and its neighbours
// take it over. Of differences it is the range of a row and its neighbours. Empty where the problem is no
// signal; a row that no term joins with others has its own prediction alone.
struct PredictionRanges {
  Vector low, high;
};
PredictionRanges signal_ranges(const Problem& problem, const Vector& predictor);

}  // namespace alo
