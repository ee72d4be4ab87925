// SPDX-License-Identifier: MIT
#include "losses/normal_tail.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

constexpr double log_root_two_pi = 0.91893853320467274178;
constexpr double root_half = 0.70710678118654752440;
// Beyond, the continued fraction gives all digits; before, little cancels in hazard + v.
constexpr double far = -4.0;
constexpr int fraction_terms = 40;
constexpr int most_steps = 60;
constexpr double small_move = 1e-9;  // what is left after it is of the order of its square

// Mills' ratio has the continued fraction 1/(t + 1/(t + 2/(t + 3/(t + ...)))), t = -v. The
// hazard is its inverse, t + 1/(t + 2/(...)), which gives the excess without a difference.
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

// Newton's method, each from the side where it cannot overshoot: on the left the hazard is convex
// and nearly linear, on the right its logarithm is concave.
double inverse_hazard(double q) {
  const bool left = q > 1.0;
  const double log_q = std::log(q);
  // Right: Phi >= 1/2 there, so phi(v) >= q / 2.
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
