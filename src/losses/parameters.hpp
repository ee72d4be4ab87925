// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// Each of these returns its argument. It throws InvalidArgument unless delta is positive and finite,
double checked_delta(double delta);
// unless 0 < tau < 1,
double checked_quantile(double tau);
// and unless epsilon is finite and not negative.
double checked_epsilon(double epsilon);

// True when a dual point is outside [-bound, bound] by more than the rounding error of a few operations.
bool outside_interval(double g, double bound);

}  // namespace alo
