// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/penalty.hpp"

namespace alo {

// A smoothed nuclear norm of a matrix of coefficients,
//
//     P(B) = lambda sum_k r(s_k),  r(s) = sqrt(s^2 + e^2) - e,
//
// over its min(p1, p2) singular values s. The smoothing e > 0 is the length over which r rounds off the
// kink of s at zero. With h = sqrt(s^2 + e^2), r'(s) = s / h, and z the singular values of a matrix of
// slopes Z:
//
//     conjugate  lambda sum_k e (1 - sqrt(1 - (z_k / lambda)^2)) on |Z|_2 <= lambda
//     tangent    all u_k v_l'
//     curvature  of the pair (k, l), (l, k): lambda (r'_k - r'_l) / (s_k - s_l) along the sum and
//                lambda (r'_k + r'_l) / (s_k + s_l) along the difference; without a partner
//                lambda r'_k / s_k; of (k, k) lambda r''_k
class Schatten {
 public:
  Schatten(MatrixShape shape, double smoothing);

  std::string name() const { return "schatten"; }
  std::string describe() const;
  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  // The gradient.
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  std::optional<SeparableTerms> separable(Index) const { return std::nullopt; }
  void check_columns(Index columns) const;
  MatrixShape shape() const { return shape_; }
  double smoothing() const { return smoothing_; }

 private:
  // sqrt(s^2 + e^2)
  double rounded(double s) const;

  MatrixShape shape_;
  double smoothing_;
};

static_assert(PenaltyModel<Schatten>);

}  // namespace alo
