// SPDX-License-Identifier: MIT
#pragma once

#include "tune/evidence.hpp"

namespace alo {

// The effort is spent where it can change the choice of lambda, from cheap to dear, in two stages, between
// which a path whose minimum is at its end may be continued.

// If exact leave-one-out is affordable at every lambda, that; else
//
//   where not even one lambda can be settled: the rows of high leverage, at lambdas on both sides of the
//   minimum;
//   at the lambda with the smallest estimate: the rows in which the formula is in doubt, then all rows, or a
//   random sample of them where all are too many; again and again until the smallest estimate is settled;
//   where the formula is in doubt at other lambdas: a few of them, with interpolation between; and again the
//   smallest estimate.
void find_minimum(ExactEvidence& evidence, const TuneResult& result);

// What is left of the doubts, the neighbours of the minimum, and the choice of the one-standard-error rule;
// where all these are known, lambdas in doubt between those that were examined, as far as the risk may be
// smaller there; all of it as long as anything changes what is known.
void settle_doubts(ExactEvidence& evidence, const TuneResult& result);

}  // namespace alo
