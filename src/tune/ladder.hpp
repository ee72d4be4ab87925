// SPDX-License-Identifier: MIT
#pragma once

#include "tune/evidence.hpp"

namespace alo {

// Spends the effort where it can change the choice of lambda, from cheap to dear:
//
//   exact leave-one-out at every lambda, if that is affordable; else
//   at the lambda with the smallest estimate: the rows in which the formula is in doubt, then all rows, or
//   a random sample of them where all are too many; again and again until the smallest estimate is settled,
//   and its two neighbours;
//   where the formula is in doubt at other lambdas: a few of them, with interpolation between; and again the
//   smallest estimate;
//   the same at the choice of the one-standard-error rule.
void climb(ExactEvidence& evidence, const TuneResult& result);

}  // namespace alo
