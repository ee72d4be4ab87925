// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"

namespace alo {

// The rows of a longer signal are not certified: that takes matrices of n^2 numbers and n^3 operations.
inline constexpr Index longest_certified_signal = 1000;

// certify_rows of a quadratic loss: whether the fit without a row, taken from the local model of the full
// fit, meets the optimality conditions without the row. None where the local model cannot tell: a curved
// loss, a penalty that is curved along its pattern, or a signal of many rows, whose matrices are too large.
std::vector<std::optional<bool>> certify_rows_by_model(const Problem& problem, const Fit& fit);

}  // namespace alo
