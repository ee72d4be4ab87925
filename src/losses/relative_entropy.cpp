// SPDX-License-Identifier: MIT
#include "losses/relative_entropy.hpp"

#include <cmath>
#include <limits>

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The rounding error by which a dual point, a sum or quotient of a few numbers, may leave the domain:
// relative to `unit`, the size of those numbers. Without it optimal fits would have an infinite gap; ten
// times the value would still be far below every tolerance.
constexpr double domain_tolerance = 8.0 * std::numeric_limits<double>::epsilon();
// The |d| below which the series replaces log1p, whose difference with d cancels. With x^2 < 0.003 the seven
// terms below reach full accuracy. At ten times the value they would give seven digits, and for d near -1
// only one.
constexpr double series_limit = 0.1;

// (1 + d) log(1 + d) - d. With x = d / (2 + d), log(1 + d) = 2 atanh x and the function is
// 2 (x atanh x + (atanh x - x)) / (1 - x), whose parts begin with x^2 and x^3 / 3.
double entropy_increment(double d) {
  if (std::abs(d) > series_limit) return (1.0 + d) * std::log1p(d) - d;
  const double x = d / (2.0 + d);
  const double square = x * x;
  double tail = 0.0;  // (atanh x - x) / x^3 = 1/3 + x^2/5 + ...; x^2 < 0.003
  for (int k = 15; k >= 3; k -= 2) tail = tail * square + 1.0 / k;
  return 2.0 * square * (1.0 + square * tail + x * tail) / (1.0 - x);
}

}  // namespace

double relative_entropy(double a, double b, double log_b, double unit) {
  if (a < -domain_tolerance * unit) return infinity;
  if (a <= 0.0) return b;
  if (b == infinity) return infinity;
  // Logarithms take over where the ratio could overflow or round to zero, and where b underflows.
  if (a > 2.0 * b || b > 2.0 * a) return a * (std::log(a) - log_b) - (a - b);
  return b * entropy_increment((a - b) / b);
}

}  // namespace alo
