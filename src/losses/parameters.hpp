// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// delta; throws InvalidArgument unless it is positive and finite.
double checked_delta(double delta);

// A dual point beyond [-bound, bound] by more than rounding.
bool outside_interval(double g, double bound);

}  // namespace alo
