// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alo/penalty.hpp"

namespace alo {

// The common base of the group lasso and the sparse group lasso, a sum over groups of coefficients:
//
//     P(b) = lambda sum_g f_g ( (1 - a) sqrt(|g|) |b_g|_2 + a |b_g|_1 ).
//
// a is the mix, f_g >= 0 the factor of group g (0: unpenalised, infinite: excluded). With t_g and s_g the
// factors of |b_g|_2 and |b_g|_1, and shrunk(z) = sign(z) max(|z| - s_g, 0) entry by entry:
//
//     prox       shrunk(b_g) max(1 - t_g / |shrunk(b_g)|_2, 0)
//     conjugate  the indicator of |shrunk(z_g)|_2 <= t_g
//     curvature  t_g (I / r - c c' / r^3) on the entries c of b_g that can move, r = |c|_2
class GroupNorms {
 public:
  // `groups`: the group of every coefficient, 0 ... G - 1, none of them empty. `factors`: f_g; empty: ones.
  explicit GroupNorms(std::vector<Index> groups, double mix, Vector factors = {});

  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  // Entry by entry where b_g is not zero. At b_g = 0 it is the part of shrunk(z_g) beyond the ball of
  // radius t_g.
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  // Present where the penalty is a lasso: every group has one coefficient, or the mix is one.
  std::optional<SeparableTerms> separable(Index columns) const;
  void check_columns(Index columns) const;
  bool keeps_zeros() const { return true; }

  double mix() const { return mix_; }
  std::span<const Index> groups() const { return group_of_; }

 private:
  struct Factors {
    double norm;      // t_g
    double absolute;  // s_g
  };
  Factors factors(std::size_t group, double lambda) const;
  double factor(std::size_t group) const {
    return factors_.size() == 0 ? 1.0 : factors_[static_cast<Index>(group)];
  }
  // The smallest lambda at which z_g is in the domain of the conjugate.
  double gauge(std::size_t group, const VectorView& z) const;
  void add_directions(std::size_t group, const VectorView& b, double lambda, Geometry& geometry,
                      std::vector<double>& curvature, std::vector<Eigen::Triplet<double>>& mirrors) const;

  std::vector<Index> group_of_;
  std::vector<std::vector<Index>> members_;
  double mix_;
  Vector factors_;
};

}  // namespace alo
