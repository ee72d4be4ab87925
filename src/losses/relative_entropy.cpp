// SPDX-License-Identifier: MIT
#include "losses/relative_entropy.hpp"

#include <cmath>
#include <limits>

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Dual points are sums and quotients of a few numbers.
constexpr double domain_tolerance = 8.0 * std::numeric_limits<double>::epsilon();
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
  // Ratios that overflow or round to zero, and b that underflows, are left to logarithms.
  if (a > 2.0 * b || b > 2.0 * a) return a * (std::log(a) - log_b) - (a - b);
  return b * entropy_increment((a - b) / b);
}

}  // namespace alo
