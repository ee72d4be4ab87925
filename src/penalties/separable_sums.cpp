// SPDX-License-Identifier: MIT
#include "penalties/separable_sums.hpp"

#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"

namespace alo {

Penalty sum_of_absolute_values(Vector factors) {
  return Lasso(std::move(factors));
}

Penalty sum_of_squares(Vector factors) {
  return Ridge(std::move(factors));
}

}  // namespace alo
