// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/penalty.hpp"

namespace alo {

// SLOPE, the sorted L1 norm (Bogdan, van den Berg, Sabatti, Su and Candes 2015),
//
//     P(b) = lambda sum_k q_k |b|_(k),
//
// with |b|_(1) >= |b|_(2) >= ... the sorted absolute values and q_1 >= q_2 >= ... >= 0. Coefficients of
// equal size form clusters, each of which moves as one. Within a pattern of clusters the penalty is linear,
// so its curvature is zero.
//
//     prox       |b|_(k) - lambda q_k made falling by isotonic regression (pool adjacent violators), not
//                below 0, in the places and with the signs of b
//     conjugate  the indicator of: the k largest |z_j| sum to at most lambda (q_1 + ... + q_k), for all k
class Slope {
 public:
  // The sequence q, one number per coefficient. Throws InvalidData where it increases.
  explicit Slope(Vector sequence);

  std::string name() const { return "slope"; }
  std::string describe() const { return "lambda * slope penalty"; }
  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  // Absolute values are taken as equal, so as one cluster, when they differ by no more than the rounding of
  // one division and one product (the scale of a column). Members of a cluster that have the same
  // q move separately.
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  // |b - prox(b + z)|, which is zero for a subgradient z and at most the distance to the nearest one.
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  // Present where the sequence is constant: the penalty is then a lasso.
  std::optional<SeparableTerms> separable(Index columns) const;
  void check_columns(Index columns) const;
  bool keeps_zeros() const { return true; }
  bool has_clusters() const { return true; }

 private:
  Vector sequence_;
};

static_assert(PenaltyModel<Slope>);

// Sequences for p coefficients, k = 1 ... p:
//
//     Benjamini and Hochberg   Phi^-1(1 - k q / (2 p)), 0 < q < 1. With an orthogonal design and noise of
//                              standard deviation lambda, the false discovery rate is at most q
//     OSCAR                    1 + c (p - k), c >= 0 (Bondell and Reich 2008)
//     linear                   from 1 down to `last`, 0 <= last <= 1
Vector benjamini_hochberg_sequence(Index columns, double q);
Vector oscar_sequence(Index columns, double c);
Vector linear_sequence(Index columns, double last);

}  // namespace alo
