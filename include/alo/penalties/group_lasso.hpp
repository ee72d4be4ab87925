// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/penalties/group_norms.hpp"

namespace alo {

// The group lasso (Yuan and Lin 2006),
//
//     P(b) = lambda sum_g f_g sqrt(|g|) |b_g|_2.
//
// The coefficients of a group, such as the levels of one factor, are all zero or all nonzero. With groups
// of one coefficient it is the lasso.
class GroupLasso : public GroupNorms {
 public:
  // `groups`: the group of every coefficient, 0 ... G - 1. `factors`: f_g of each group (0: unpenalised,
  // infinite: excluded); empty: ones.
  explicit GroupLasso(std::vector<Index> groups, Vector factors = {})
      : GroupNorms(std::move(groups), 0.0, std::move(factors)) {}
  std::string name() const { return "group-lasso"; }
  std::string describe() const { return "lambda * group-lasso penalty"; }
};

static_assert(PenaltyModel<GroupLasso>);

}  // namespace alo
