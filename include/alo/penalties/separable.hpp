// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/penalty.hpp"

namespace alo {

// The common base of ridge, lasso and elastic net:
//
//     P(b) = sum_j f_j ( lambda a |b_j| + (lambda (1 - a) + rho) b_j^2 / 2 ).
//
// a is the mix, rho the fixed ridge part, and f_j >= 0 the penalty weight of coefficient j (0: unpenalised,
// infinite: excluded). With t_j and q_j the factors of |b_j| and b_j^2 / 2, and shrunk(z) = sign(z) max(|z|
// - t_j, 0):
//
//     prox       shrunk(b_j) / (1 + q_j)
//     conjugate  shrunk(z_j)^2 / (2 q_j); for q_j = 0 the indicator of |z_j| <= t_j
class SeparablePenalty {
 public:
  // An empty weight vector stands for ones. A fixed ridge part requires a mix above 0, because without
  // absolute values the penalty would be a ridge at lambda + rho.
  explicit SeparablePenalty(double mix, Vector weights = {}, double fixed_ridge = 0.0);

  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  std::optional<SeparableTerms> separable(Index columns) const;
  void check_columns(Index columns) const;

  double mix() const { return mix_; }
  double fixed_ridge() const { return fixed_ridge_; }

 private:
  struct Term {
    double absolute;  // t_j
    double square;    // q_j
  };
  double weight(Index j) const { return weights_.size() == 0 ? 1.0 : weights_[j]; }
  // The factors of coefficient j, which must not be excluded.
  Term term(Index j, double lambda) const;

  double mix_;
  Vector weights_;
  double fixed_ridge_;
};

}  // namespace alo
