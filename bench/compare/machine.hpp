// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

// The peak rates of the machine, for comparison with the measured times.
namespace compare {

// GFlop/s of the product of two square matrices of this size (2 size^3 operations), best of several calls.
double dgemm_rate(alo::Index size);

// GB/s of a = b + s c on three vectors of this length (24 bytes per entry), best of several calls.
double triad_rate(alo::Index length);

// The largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace compare
