// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/penalty.hpp"

namespace alo {

// What ridge, lasso and elastic net have in common:
//
//     R(b) = sum_j f_j ( a |b_j| + (1 - a) b_j^2 / 2 ),
//
// a the mix, f_j >= 0 the penalty weight of coefficient j (0: unpenalised, infinite:
// excluded). With t = lambda f_j and shrunk(z) = sign(z) max(|z| - t a, 0):
//
//     prox       shrunk(b_j) / (1 + t (1 - a))
//     conjugate  shrunk(z_j)^2 / (2 t (1 - a)); for a = 1 the indicator of |z_j| <= t
class SeparablePenalty {
 public:
  // An empty weight vector stands for ones.
  explicit SeparablePenalty(double mix, Vector weights = {});

  double value(const VectorView& b) const;
  Vector prox(const VectorView& b, double lambda) const;
  Geometry geometry(const VectorView& b) const;
  double fenchel_gap(const VectorView& b, const VectorView& z, double lambda) const;
  double dual_scale(const VectorView& z, double lambda) const;
  Vector subgradient_distance(const VectorView& b, const VectorView& z, double lambda) const;
  double lambda_max(const VectorView& z) const;
  std::vector<Index> unpenalized(Index columns) const;
  std::optional<SeparableTerms> separable(Index columns) const;
  void check_columns(Index columns) const;

  double mix() const { return mix_; }

 private:
  double weight(Index j) const { return weights_.size() == 0 ? 1.0 : weights_[j]; }

  double mix_;
  Vector weights_;
};

}  // namespace alo
