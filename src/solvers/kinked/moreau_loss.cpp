// SPDX-License-Identifier: MIT
#include "solvers/kinked/moreau_loss.hpp"

namespace alo {

LossValues MoreauLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const auto& [multipliers, sigma] = rows_->term;
  LossValues result{Vector(u.size()), Vector(u.size()), Vector::Zero(u.size())};
  for (Index i = 0; i < u.size(); ++i) {
    const RowPlaces::Proximal point = rows_->places.proximal(i, u[i], multipliers[i], sigma);
    result.derivative[i] = point.gradient;
    if (point.place % 2 == 1) result.curvature[i] = sigma;
  }
  const Vector distance = (result.derivative - multipliers) / sigma;  // u - z
  result.value = rows_->weights.cwiseProduct(rows_->loss.value(u - distance, y)) +
                 distance.cwiseProduct(multipliers + 0.5 * sigma * distance);
  return result;
}

// The conjugate is f*(g) + (g - m)^2 / (2 sigma).
Vector MoreauLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  const auto& [multipliers, sigma] = rows_->term;
  const Vector own = derivative(u, y);
  const Vector point = u - (own - multipliers) / sigma;
  const Vector unit = (rows_->weights.array() > 0.0).select(g.array() / rows_->weights.array(), 0.0);
  return rows_->weights.cwiseProduct(rows_->loss.fenchel_gap(point, unit, y)) +
         (g - own).cwiseAbs2() / (2.0 * sigma);
}

Vector MoreauLoss::minimum(const VectorView& y) const {
  return rows_->weights.cwiseProduct(rows_->loss.minimum(y)) -
         rows_->term.multipliers.cwiseAbs2() / (2.0 * rows_->term.sigma);
}

}  // namespace alo
