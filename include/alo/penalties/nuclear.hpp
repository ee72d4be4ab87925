// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/penalty.hpp"

namespace alo {

// The nuclear norm (Fazel 2002), the sum of the singular values of a matrix of coefficients, which gives
// fits of low rank:
//
//     P(B) = lambda |B|_*.
//
// With B = U diag(s) V' of rank m, and Z a matrix of slopes:
//
//     prox         U diag(max(s - lambda, 0)) V'
//     conjugate    the indicator of |Z|_2 <= lambda
//     subgradient  lambda (U V' + U0 W V0'), with U0 and V0 complements of U and V and |W|_2 <= 1
//     tangent      u_k v_l' with k <= m or l <= m
//     curvature    of the pair (k, l), (l, k) with k != l <= m: 0 along the sum, 2 lambda / (s_k + s_l)
//                  along the difference; with l > m: lambda (1 -+ g_l) / s_k, g_l the singular values of
//                  W, U0 and V0 its singular vectors; without a partner lambda / s_k; of (k, k) 0
class NuclearNorm {
 public:
  explicit NuclearNorm(MatrixShape shape);

  std::string name() const { return "nuclear"; }
  std::string describe() const;
  double value(const VectorView& b, double lambda) const;
  // The multipliers are the subgradient b - prox.
  Proximal prox(const VectorView& b, double lambda) const;
  // The rank is the number of singular values above rounding error. The multipliers determine U0, V0 and W;
  // without them W = 0.
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  // The subgradient of smallest norm, lambda U V'.
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  // Along the tangent space it is the distance to lambda U V'; elsewhere it is the excess of |Z|_2 over
  // lambda.
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  std::optional<SeparableTerms> separable(Index) const { return std::nullopt; }
  void check_columns(Index columns) const;
  MatrixShape shape() const { return shape_; }
  bool sums_singular_values() const { return true; }

 private:
  MatrixShape shape_;
};

static_assert(PenaltyModel<NuclearNorm>);

}  // namespace alo
