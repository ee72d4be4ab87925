// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// The standard normal distribution function at v, accurate in both tails.
struct NormalTail {
  double log_probability;  // log Phi(v)
  double hazard;           // phi(v) / Phi(v), about -v far on the left
  double excess;           // hazard + v > 0
};
NormalTail normal_tail(double v);

// The v at which phi(v) / Phi(v) is q > 0.
double inverse_hazard(double q);

}  // namespace alo
