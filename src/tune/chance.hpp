// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/tune.hpp"

namespace alo {

// A better risk is looked for where its chance is larger than this, and could be where it is. At ten times
// the value hardly any lambda is; at a tenth the effort is spent on flat curves too.
inline constexpr double least_chance = 0.05;

// Two lambdas of a path at which the risk is known, and the lambdas between, at which it is not.
struct Gap {
  std::size_t above = 0;  // places on the path; the larger lambda comes first
  std::size_t below = 0;
  double chance = 0.0;      // that the risk between is better than the smallest known one, as below
  double log_lambda = 0.0;  // where it is most likely to be
};

// The gaps of a path, after Kushner (A new method of locating the maximum point of an arbitrary multipeak
// curve in the presence of noise, Journal of Basic Engineering 86, 1964): the log of the risk (of what is
// missing to a perfect fit, where larger is better) is taken for a Wiener process in log lambda. Between two
// known values, T apart and a and b above an aim, it comes down to the aim with probability exp(-2 a b / (s^2
// T)), most likely at a share a / (a + b) of the way. The aim is below the smallest known value by
// tolerated_share, and s^2 is the mean over all gaps of the squared step over its length.
std::vector<Gap> gaps_of_path(const TuneResult& result);

// The same chance for a lambda whose risk is not known: that of the gap in which it lies; or beyond the known
// ones, up to it: a process that begins a above the aim comes down to it within T with probability erfc(a /
// sqrt(2 s^2 T)) (the reflection principle). One where fewer than three risks are known, since one step says
// little of s^2.
double chance_of_better(const TuneResult& result, std::size_t k);

}  // namespace alo
