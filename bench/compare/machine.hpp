// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

// What the machine can do at best, to set the times of the comparison beside.
namespace compare {

// Product of two square matrices of this size, 2 size^3 operations: GFlop/s of the best of several.
double dgemm_rate(alo::Index size);

// a = b + s c on three vectors of this length, 24 bytes an entry: GB/s of the best of several.
double triad_rate(alo::Index length);

// Largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace compare
