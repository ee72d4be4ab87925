// SPDX-License-Identifier: MIT
#include "linalg/secant_pairs.hpp"

#include <vector>

namespace alo {

namespace {

// A pair is used when s'y exceeds this share of |s| |y|: the cosine of their angle, which the inverse is
// divided by. Rounding of the change y of the gradient is some epsilon of the gradients, so it decides the
// sign of s'y once y is 1e-4 of them or less. A safeguard: any value between 1e-14 and 1e-8 serves; larger
// ones leave out pairs of badly conditioned problems, which then take more steps.
constexpr double product_tolerance = 1e-12;

}  // namespace

void SecantPairs::add(Vector step, Vector change) {
  const double product = step.dot(change);
  if (!(product > product_tolerance * step.norm() * change.norm())) return;
  if (pairs_.size() == most) pairs_.pop_front();
  pairs_.push_back({std::move(step), std::move(change), product});
}

Vector SecantPairs::solve(Vector right, const std::function<Vector(const Vector&)>& solve) const {
  std::vector<double> shares(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    shares[k] = pairs_[k].step.dot(right) / pairs_[k].product;
    right -= shares[k] * pairs_[k].change;
  }
  Vector result = solve(right);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const double share = pairs_[k].change.dot(result) / pairs_[k].product;
    result += (shares[k] - share) * pairs_[k].step;
  }
  return result;
}

}  // namespace alo
