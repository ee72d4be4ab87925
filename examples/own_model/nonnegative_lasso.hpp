// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include <alo/penalty.hpp>

namespace own {

// lambda sum_j b_j where every b_j >= 0, else infinite: a lasso for effects that are known not to be negative
// (concentrations, prices, rates). Its parts, one coefficient at a time:
//
//     prox        max(b_j - lambda, 0)
//     dP_j(b)     lambda for b_j > 0, all numbers up to lambda for b_j = 0
//     conjugate   zero for z_j <= lambda, else infinite
class NonnegativeLasso {
 public:
  std::string name() const { return "nonnegative-lasso"; }
  std::string describe() const { return "lambda * lasso penalty, no coefficient below zero"; }

  double value(const alo::VectorView& b, double lambda) const {
    return (b.array() < 0.0).any() ? infinity : lambda * b.sum();
  }
  alo::Proximal prox(const alo::VectorView& b, double lambda) const {
    return {(b.array() - lambda).max(0.0), {}};
  }

  // Positive coefficients move freely, and the penalty is linear along them; zeros stay. That every zero of
  // the solution is exact is what tells the two apart.
  alo::Geometry geometry(const alo::VectorView& b, const alo::VectorView& /*multipliers*/,
                         double /*lambda*/) const {
    alo::Geometry geometry;
    for (alo::Index j = 0; j < b.size(); ++j) {
      if (b[j] > 0.0) geometry.coordinates.push_back(j);
    }
    geometry.curvature = alo::Vector::Zero(static_cast<alo::Index>(geometry.coordinates.size()));
    return geometry;
  }
  alo::Vector subgradient(const alo::VectorView& b, double lambda) const {
    return alo::Vector::Constant(b.size(), lambda);
  }

  // lambda b_j - z_j b_j, a product of two numbers that are not negative.
  double fenchel_gap(const alo::VectorView& b, const alo::DualPoint& dual, double lambda) const {
    const auto room = lambda - dual.slopes.array();
    if ((b.array() < 0.0).any() || (room < 0.0).any()) return infinity;
    return (room * b.array()).sum();
  }
  double dual_scale(const alo::DualPoint& dual, double lambda) const {
    const double largest = lambda_max(dual.slopes);
    // A product with the quotient itself may be rounded to beyond lambda.
    constexpr double margin = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();
    return largest > lambda ? margin * lambda / largest : 1.0;
  }
  alo::Vector subgradient_distance(const alo::VectorView& b, const alo::DualPoint& dual,
                                   double lambda) const {
    const auto excess = dual.slopes.array() - lambda;
    return (b.array() > 0.0).select(excess.abs(), excess.max(0.0));
  }

  double lambda_max(const alo::VectorView& z) const {
    return std::max(0.0, z.size() == 0 ? 0.0 : z.maxCoeff());
  }
  // Nothing is free: at lambda = 0 the signs are still bound.
  alo::SparseMatrix unpenalized(alo::Index columns, double /*lambda*/) const {
    return alo::SparseMatrix(columns, 0);
  }
  // A sum over coefficients, but not of multiples of |b_j| and b_j^2: the proximal solver takes it.
  std::optional<alo::SeparableTerms> separable(alo::Index /*columns*/) const { return std::nullopt; }
  void check_columns(alo::Index /*columns*/) const {}
  bool keeps_zeros() const { return true; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
};

static_assert(alo::PenaltyModel<NonnegativeLasso>);

}  // namespace own
