// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "signals/hat_system.hpp"

namespace alo {

// Moves the values at the nodes along `way` while
//
//   sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_k |bend_k(b)|
//
// falls, at most the whole way: by an exact line search, for each region by itself. Two nodes in a row whose
// step is at most the share `small` of the largest part regions, and do not move. `equations` are those of
// the nodes with their signs. A node whose bend changes its sign on the way gets the other sign, one at which
// the way ends is dropped. True if all went the whole way without changing signs.
bool move_by_regions(HatNodes& nodes, const HatSystem& equations, const std::vector<double>& way,
                     double lambda, double small);

}  // namespace alo
