// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/group_norms.hpp"

namespace alo {

// The sparse group lasso (Simon, Friedman, Hastie and Tibshirani 2013),
//
//     P(b) = lambda sum_g f_g ( (1 - a) sqrt(|g|) |b_g|_2 + a |b_g|_1 ),  0 <= a <= 1.
//
// It selects few groups, and few coefficients within each of them.
class SparseGroupLasso : public GroupNorms {
 public:
  // `groups`: the group of every coefficient, 0 ... G - 1. `mix`: a. `factors`: f_g of each group (0:
  // unpenalised, infinite: excluded); empty: ones.
  explicit SparseGroupLasso(std::vector<Index> groups, double mix, Vector factors = {})
      : GroupNorms(std::move(groups), mix, std::move(factors)) {}
  std::string name() const { return "sparse-group-lasso"; }
  std::string describe() const;
};

static_assert(PenaltyModel<SparseGroupLasso>);

}  // namespace alo
