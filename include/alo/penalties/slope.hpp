// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/penalty.hpp"

namespace alo {

// lambda sum_k q_k |b|_(k), |b|_(1) >= |b|_(2) >= ... the absolute values in falling order and
// q_1 >= q_2 >= ... >= 0 (Bogdan, van den Berg, Sabatti, Su and Candes 2015). Coefficients of equal size form
// clusters, each of which moves as one; on those the penalty is linear, so its curvature is zero.
//
//     prox       of the falling |b|_(k) - lambda q_k, neighbours out of order pooled to their mean, not below
//     0 conjugate  the indicator of sum of the k largest |z_j| <= lambda (q_1 + ... + q_k) for every k
class Slope {
 public:
  // The sequence q, one number per coefficient; throws InvalidData where it grows.
  explicit Slope(Vector sequence);

  std::string name() const { return "slope"; }
  std::string describe() const { return "lambda * slope penalty"; }
  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  // Values that differ by no more than a division and a product with the scale of a column can do to them are
  // one cluster, unless its members have the same q: then each of them moves.
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  // |b - prox(b + z)|, which is zero where z is a subgradient and no larger than the distance.
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  // A constant sequence is a lasso.
  std::optional<SeparableTerms> separable(Index columns) const;
  void check_columns(Index columns) const;
  bool keeps_zeros() const { return true; }

 private:
  Vector sequence_;
};

static_assert(PenaltyModel<Slope>);

// Sequences for p coefficients, k = 1 ... p.
//     Benjamini and Hochberg   Phi^-1(1 - k q / (2 p)), 0 < q < 1: under an orthogonal design and noise of
//                              standard deviation lambda, the false discovery rate is at most q
//     OSCAR                    1 + c (p - k), c >= 0 (Bondell and Reich 2008)
//     linear                   from 1 down to `last`, 0 <= last <= 1
Vector benjamini_hochberg_sequence(Index columns, double q);
Vector oscar_sequence(Index columns, double c);
Vector linear_sequence(Index columns, double last);

}  // namespace alo
