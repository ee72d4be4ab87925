// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/group_norms.hpp"

namespace alo {

// lambda sum_g f_g ( (1 - a) sqrt(|g|) |b_g|_2 + a |b_g|_1 ), 0 <= a <= 1 (Simon, Friedman, Hastie and
// Tibshirani 2013): few groups, and few coefficients in each of them.
class SparseGroupLasso : public GroupNorms {
 public:
  // The group of every coefficient, 0 ... G - 1; the mix a; a factor for each group (0: unpenalised,
  // infinite: excluded), empty: ones.
  explicit SparseGroupLasso(std::vector<Index> groups, double mix, Vector factors = {})
      : GroupNorms(std::move(groups), mix, std::move(factors)) {}
  std::string name() const { return "sparse-group-lasso"; }
  std::string describe() const;
};

static_assert(PenaltyModel<SparseGroupLasso>);

}  // namespace alo
