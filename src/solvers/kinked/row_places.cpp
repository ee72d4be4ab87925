// SPDX-License-Identifier: MIT
#include "solvers/kinked/row_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// One row in so many is bound by the first springs of an augmented Lagrangian, which reach at least this
// share of the size of linear predictors.
constexpr Index bound_share = 4;
constexpr double least_share = 1e-3;

}  // namespace

RowPlaces::RowPlaces(const Loss& loss, const VectorView& response, const VectorView& weights)
    : places_(static_cast<std::size_t>(response.size()), 0) {
  Kinks kinks = loss.kinks(response);
  position_ = std::move(kinks.position);
  slope_ = weights.asDiagonal() * kinks.slope;
}

std::vector<Index> RowPlaces::pinned() const {
  std::vector<Index> rows;
  for (Index i = 0; i < size(); ++i) {
    if (is_pinned(i)) rows.push_back(i);
  }
  return rows;
}

double RowPlaces::low_predictor(Index i) const {
  if (is_pinned(i)) return kink(i);
  return place(i) == 0 ? -infinity : position_(i, place(i) / 2 - 1);
}

double RowPlaces::high_predictor(Index i) const {
  if (is_pinned(i)) return kink(i);
  return place(i) / 2 == position_.cols() ? infinity : position_(i, place(i) / 2);
}

Index RowPlaces::place_of_predictor(Index i, double eta) const {
  Index piece = 0;
  while (piece < position_.cols() && eta > position_(i, piece)) ++piece;
  const bool at_kink = piece < position_.cols() && eta == position_(i, piece) && !is_idle(i);
  return 2 * piece + (at_kink ? 1 : 0);
}

Index RowPlaces::place_of_gradient(Index i, double gradient, double eta) const {
  if (is_idle(i)) return place_of_predictor(i, eta);
  for (Index piece = 0; piece < slope_.cols(); ++piece) {
    if (gradient < slope_(i, piece)) return piece == 0 ? 0 : 2 * piece - 1;
    if (gradient == slope_(i, piece)) return 2 * piece;
  }
  return 2 * (slope_.cols() - 1);
}

Index RowPlaces::place_of_proximal(Index i, double eta, double target, double sigma, double& gradient) const {
  for (Index k = 0; k < position_.cols(); ++k) {
    const double pull = target + sigma * (eta - position_(i, k));  // of a spring fixed at the kink
    if (pull < slope_(i, k)) {
      gradient = slope_(i, k);
      return 2 * k;
    }
    if (pull <= slope_(i, k + 1) && !is_idle(i)) {
      gradient = pull;
      return 2 * k + 1;
    }
  }
  gradient = slope_(i, slope_.cols() - 1);
  return 2 * position_.cols();
}

double RowPlaces::distance_to_kink(Index i, double eta) const {
  return (position_.row(i).array() - eta).abs().minCoeff();
}

Vector RowPlaces::nearest_gradients(const Vector& gradient) const {
  Vector nearest(size());
  for (Index i = 0; i < size(); ++i) nearest[i] = std::clamp(gradient[i], low_gradient(i), high_gradient(i));
  return nearest;
}

double RowPlaces::first_stiffness(const Vector& predictor, double size_of_predictors) const {
  std::vector<double> distances;
  double range = 0.0;
  for (Index i = 0; i < size(); ++i) {
    if (is_idle(i)) continue;
    distances.push_back(distance_to_kink(i, predictor[i]));
    range = std::max(range, gradient_range(i));
  }
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size()) / bound_share;
  std::nth_element(distances.begin(), middle, distances.end());
  return range / std::max(*middle, least_share * size_of_predictors);
}

}  // namespace alo
