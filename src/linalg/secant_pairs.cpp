// SPDX-License-Identifier: MIT
#include "linalg/secant_pairs.hpp"

#include <vector>

namespace alo {

namespace {

// A product below this share of the norms is rounding.
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
