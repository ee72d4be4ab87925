// SPDX-License-Identifier: MIT
#pragma once

namespace alo::testing_support {

// The seed of a test that draws its own random numbers and claims something of all of them: the fixed one, or
// with ALO_SEED in the environment another one that depends on both, so that different fixed seeds stay
// different. Not for tests of one hard case, whose seed is that case, nor for those that compare a standard
// error with the spread of a sample: these hold for most samples, and not for all.
unsigned varied(unsigned fixed);

}  // namespace alo::testing_support
