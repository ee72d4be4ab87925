// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// a log(a/b) - a + b >= 0 for a, b >= 0; infinite for a < 0, up to rounding of order `unit`. The
// Fenchel gaps of the exponential families are sums of such terms: b the mean that a linear
// predictor gives, a the mean that a dual point stands for. Relatively exact where a is near b,
// and, with the logarithm of b given, where b underflows.
double relative_entropy(double a, double b, double log_b, double unit = 1.0);

}  // namespace alo
