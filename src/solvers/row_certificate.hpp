// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"

namespace alo {

// Rows of longer signals are not certified, because that takes matrices of n^2 numbers and some n^3
// operations: a few 1e9 here, a thousand times as many at 10,000 rows.
inline constexpr Index longest_certified_signal = 1000;

// certify_rows for a quadratic loss: whether the minimiser without a row on the tangent space of the full fit
// meets the optimality conditions without the row. None where the local model does not decide it: a curved
// loss, a penalty that is curved along its pattern, or a signal of many rows, whose matrices are too large.
std::vector<std::optional<bool>> certify_rows_by_model(const Problem& problem, const Fit& fit);

}  // namespace alo
