// SPDX-License-Identifier: MIT
#include "alo/penalties/separable.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "linalg/special_values.hpp"
#include "penalties/null_space.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// Products of a weight with lambda and with coefficients, and quotients by it, must neither overflow nor
// vanish: half of the range of exponents is left for them.
constexpr double smallest_weight = 1e-150;
constexpr double largest_weight = 1e150;

// Soft thresholding: the part of z beyond the threshold.
double shrink(double z, double threshold) {
  return std::copysign(std::max(std::abs(z) - threshold, 0.0), z);
}

// A product in which a share of zero gives zero, even of an infinite factor: the term is absent.
double times(double factor, double share) {
  return share == 0.0 ? 0.0 : factor * share;
}

}  // namespace

SeparablePenalty::SeparablePenalty(double mix, Vector weights, double fixed_ridge)
    : mix_(mix), weights_(std::move(weights)), fixed_ridge_(fixed_ridge) {
  if (!(mix >= 0.0 && mix <= 1.0)) {
    throw InvalidArgument(fmt::format("the mix must lie between 0 (ridge) and 1 (lasso), but is {}", mix));
  }
  if (!(fixed_ridge >= 0.0) || std::isinf(fixed_ridge)) {
    throw InvalidArgument(
        fmt::format("the fixed ridge part must be a finite number, zero or more, but is {}", fixed_ridge));
  }
  if (fixed_ridge > 0.0 && mix == 0.0) {
    throw InvalidArgument(
        "a fixed ridge part goes with absolute values that lambda scales; without them use the ridge penalty "
        "and add the fixed part to lambda");
  }
  for (Index j = 0; j < weights_.size(); ++j) {
    if (!(weights_[j] >= 0.0)) {
      throw InvalidData(
          fmt::format("penalty weight {} is {}; weights are nonnegative (0: unpenalised, inf: excluded)",
                      j + 1, weights_[j]));
    }
    const bool in_range = weights_[j] >= smallest_weight && weights_[j] <= largest_weight;
    if (!in_range && weights_[j] != 0.0 && weights_[j] != infinity) {
      throw InvalidData(
          fmt::format("penalty weight {} is {}, and products with such a number leave the range of "
                      "floating-point numbers; use 0 (unpenalised) or inf (excluded)",
                      j + 1, weights_[j]));
    }
  }
}

SeparablePenalty::Term SeparablePenalty::term(Index j, double lambda) const {
  const double f = weight(j);
  return {times(f, lambda * mix_), times(f, lambda * (1.0 - mix_) + fixed_ridge_)};
}

double SeparablePenalty::value(const VectorView& b, double lambda) const {
  double sum = 0.0;
  for (Index j = 0; j < b.size(); ++j) {
    if (b[j] == 0.0) continue;
    const auto [absolute, square] = term(j, lambda);
    sum += absolute * std::abs(b[j]) + square * 0.5 * b[j] * b[j];
  }
  return sum;
}

Proximal SeparablePenalty::prox(const VectorView& b, double lambda) const {
  Vector result(b.size());
  for (Index j = 0; j < b.size(); ++j) {
    const auto [absolute, square] = term(j, lambda);
    result[j] = weight(j) == infinity ? 0.0 : shrink(b[j], absolute) / (1.0 + square);
  }
  return {std::move(result), {}};
}

Geometry SeparablePenalty::geometry(const VectorView& b, const VectorView& /*multipliers*/,
                                    double lambda) const {
  Geometry geometry;
  for (Index j = 0; j < b.size(); ++j) {
    // Without an absolute value P is smooth at zero too, so the coefficient is free. At lambda = 0 there are
    // no absolute values, but only a square makes the system definite when all coefficients are free at once.
    const bool smooth = mix_ == 0.0 || weight(j) == 0.0 || (lambda == 0.0 && fixed_ridge_ > 0.0);
    if (weight(j) != infinity && (b[j] != 0.0 || smooth)) geometry.coordinates.push_back(j);
  }
  geometry.curvature.resize(static_cast<Index>(geometry.coordinates.size()));
  for (Index k = 0; k < geometry.dimension(); ++k) {
    geometry.curvature[k] = term(geometry.coordinates[static_cast<std::size_t>(k)], lambda).square;
  }
  return geometry;
}

Vector SeparablePenalty::subgradient(const VectorView& b, double lambda) const {
  Vector result = Vector::Zero(b.size());
  for (Index j = 0; j < b.size(); ++j) {
    const auto [absolute, square] = term(j, lambda);
    if (b[j] != 0.0) result[j] = std::copysign(absolute, b[j]) + square * b[j];
  }
  return result;
}

double SeparablePenalty::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  const Vector& z = dual.slopes;
  double sum = 0.0;
  for (Index j = 0; j < z.size(); ++j) {
    const auto [absolute, square] = term(j, lambda);
    // An excluded coefficient is zero, and a dual point is zero at an unpenalised one: neither adds to the
    // gap.
    if (weight(j) == infinity || (absolute == 0.0 && square == 0.0)) continue;
    // z is split into its part within [-t, t] and the excess. The first takes t |b| less its product with b,
    // the excess completes a square with q b; both terms are nonnegative.
    const double inside = std::clamp(z[j], -absolute, absolute);
    const double excess = z[j] - inside;
    sum += absolute * std::abs(b[j]) - inside * b[j];
    if (square > 0.0) {
      const double distance = square * b[j] - excess;
      sum += distance * distance / (2.0 * square);
    } else if (excess != 0.0) {
      return infinity;
    }
  }
  return sum;
}

double SeparablePenalty::dual_scale(const DualPoint& dual, double lambda) const {
  const Vector& z = dual.slopes;
  double scale = 1.0;
  for (Index j = 0; j < z.size(); ++j) {
    const auto [absolute, square] = term(j, lambda);
    // Only an absolute value without a square bounds z. Where nothing is penalised z is zero up to rounding.
    if (weight(j) == infinity || absolute == 0.0 || square > 0.0) continue;
    if (std::abs(z[j]) > absolute) scale = std::min(scale, rounding_margin * absolute / std::abs(z[j]));
  }
  return scale;
}

Vector SeparablePenalty::subgradient_distance(const VectorView& b, const DualPoint& dual,
                                              double lambda) const {
  const Vector& z = dual.slopes;
  Vector distance(b.size());
  for (Index j = 0; j < b.size(); ++j) {
    const auto [absolute, square] = term(j, lambda);
    if (weight(j) == infinity) {
      distance[j] = 0.0;
    } else if (b[j] != 0.0) {
      distance[j] = std::abs(z[j] - std::copysign(absolute, b[j]) - square * b[j]);
    } else {
      distance[j] = std::max(std::abs(z[j]) - absolute, 0.0);
    }
  }
  return distance;
}

double SeparablePenalty::lambda_max(const VectorView& z) const {
  double largest = 0.0;
  for (Index j = 0; j < z.size(); ++j) {
    if (weight(j) == 0.0 || weight(j) == infinity || z[j] == 0.0) continue;
    if (mix_ == 0.0) return infinity;
    largest = std::max(largest, std::abs(z[j]) / (mix_ * weight(j)));
  }
  return largest;
}

SparseMatrix SeparablePenalty::unpenalized(Index columns, double lambda) const {
  std::vector<Index> free;
  for (Index j = 0; j < columns; ++j) {
    const auto [absolute, square] = term(j, lambda);
    if (weight(j) != infinity && absolute == 0.0 && square == 0.0) free.push_back(j);
  }
  return coordinate_basis(columns, free);
}

std::optional<SeparableTerms> SeparablePenalty::separable(Index columns) const {
  SeparableTerms terms{Vector(columns), Vector(columns), Vector(columns)};
  for (Index j = 0; j < columns; ++j) {
    terms.absolute[j] = times(weight(j), mix_);
    terms.square[j] = times(weight(j), 1.0 - mix_);
    terms.fixed_square[j] = times(weight(j), fixed_ridge_);
  }
  return terms;
}

void SeparablePenalty::check_columns(Index columns) const {
  if (weights_.size() != 0 && weights_.size() != columns) {
    throw InvalidData(fmt::format("there are {} penalty weights for {} columns; give one per column",
                                  weights_.size(), columns));
  }
}

}  // namespace alo
