// SPDX-License-Identifier: MIT
#include "losses/normal_tail.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

// log(sqrt(2 pi)) and sqrt(1/2).
constexpr double log_root_two_pi = 0.91893853320467274178;
constexpr double root_half = 0.70710678118654752440;
// Left of `far` the continued fraction has a relative error below 1e-16 after fraction_terms terms. Right
// of it hazard + v loses at most a factor of 20 in relative accuracy by cancellation. Ten times as many
// terms cost time; with `far` ten times nearer to zero the fraction would need thousands of terms.
constexpr double far = -4.0;
constexpr int fraction_terms = 40;
constexpr int most_steps = 60;
// Newton's method converges quadratically: after a step below 1e-9, relative to 1 + |v|, the remaining
// error is of the order 1e-18. It takes fewer than ten steps; 60 is a guard against an endless loop.
constexpr double small_move = 1e-9;

// Mills' ratio has the continued fraction 1/(t + 1/(t + 2/(t + 3/(t + ...)))), t = -v (Laplace). The hazard
// is its inverse, t + 1/(t + 2/(...)), so that the excess is computed without a difference.
NormalTail far_tail(double v) {
  const double t = -v;
  double fraction = t;
  for (int k = fraction_terms; k >= 2; --k) fraction = t + k / fraction;
  const double excess = 1.0 / fraction;
  const double hazard = t + excess;
  return {-0.5 * v * v - log_root_two_pi - std::log(hazard), hazard, excess};
}

}  // namespace

NormalTail normal_tail(double v) {
  if (v < far) return far_tail(v);
  const double log_probability =
      v > 0.0 ? std::log1p(-0.5 * std::erfc(v * root_half)) : std::log(0.5 * std::erfc(-v * root_half));
  const double hazard = std::exp(-0.5 * v * v - log_root_two_pi - log_probability);
  return {log_probability, hazard, hazard + v};
}

// Newton's method. On the left it works on the hazard, which is convex and nearly linear there, on the
// right on the logarithm of the hazard, which is concave. Each starts on the side from which it converges
// monotonically.
double inverse_hazard(double q) {
  const bool left = q > 1.0;
  const double log_q = std::log(q);
  // On the right Phi >= 1/2, so that phi(v) >= q / 2.
  double v = left ? -q : std::sqrt(2.0 * std::max(0.0, std::log(2.0) - log_root_two_pi - log_q));
  for (int step = 0; step < most_steps; ++step) {
    const NormalTail tail = normal_tail(v);
    const double move = left ? (tail.hazard - q) / (tail.hazard * tail.excess)
                             : (-0.5 * v * v - log_root_two_pi - tail.log_probability - log_q) / tail.excess;
    v += move;
    if (std::abs(move) <= small_move * (1.0 + std::abs(v))) break;
  }
  return v;
}

}  // namespace alo
