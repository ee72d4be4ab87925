// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// delta; throws InvalidArgument unless it is positive and finite.
double checked_delta(double delta);
// tau; throws InvalidArgument unless it is between 0 and 1.
double checked_quantile(double tau);
// epsilon; throws InvalidArgument unless it is finite and not negative.
double checked_epsilon(double epsilon);

// A dual point beyond [-bound, bound] by more than rounding.
bool outside_interval(double g, double bound);

}  // namespace alo
