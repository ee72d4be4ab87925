// SPDX-License-Identifier: MIT
#include "solvers/kinked/moreau_loss.hpp"

namespace alo {

LossValues MoreauLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const Springs& springs = *springs_;
  LossValues result{Vector(u.size()), Vector(u.size()), Vector::Zero(u.size())};
  for (Index i = 0; i < u.size(); ++i) {
    const Index place =
        springs.rows.place_of_proximal(i, u[i], springs.targets[i], springs.sigma, result.derivative[i]);
    if (place % 2 == 1) result.curvature[i] = springs.sigma;
  }
  const Vector stretch = (result.derivative - springs.targets) / springs.sigma;  // u - z
  result.value = springs.weights.cwiseProduct(springs.loss.value(u - stretch, y)) +
                 stretch.cwiseProduct(springs.targets + 0.5 * springs.sigma * stretch);
  return result;
}

// The conjugate is f*(g) + (g - t)^2 / (2 sigma).
Vector MoreauLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  const Springs& springs = *springs_;
  const Vector own = derivative(u, y);
  const Vector point = u - (own - springs.targets) / springs.sigma;
  const Vector unit = (springs.weights.array() > 0.0).select(g.array() / springs.weights.array(), 0.0);
  return springs.weights.cwiseProduct(springs.loss.fenchel_gap(point, unit, y)) +
         (g - own).cwiseAbs2() / (2.0 * springs.sigma);
}

Vector MoreauLoss::minimum(const VectorView& y) const {
  const Springs& springs = *springs_;
  return springs.weights.cwiseProduct(springs.loss.minimum(y)) -
         springs.targets.cwiseAbs2() / (2.0 * springs.sigma);
}

}  // namespace alo
