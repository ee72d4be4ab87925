// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// The relative entropy a log(a/b) - a + b >= 0 for a, b >= 0, and infinity for a < 0 beyond a rounding
// error of order `unit`. The Fenchel gaps of exponential families are sums of such terms, with b the mean
// that a linear predictor gives and a the mean that a dual point gives. The result has full relative
// accuracy where a is near b, and also where b underflows, because the logarithm of b is given.
double relative_entropy(double a, double b, double log_b, double unit = 1.0);

}  // namespace alo
