// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The shape of the matrix of coefficients, if the penalty or the design makes them one.
std::optional<MatrixShape> matrix_shape(const Problem& problem);

// The coefficients of a fit in that shape, on their original scale.
Matrix coefficient_matrix(const Problem& problem, const Fit& fit);

// The singular values above rounding error of the penalised (scaled) matrix, falling; their number is the
// rank.
Vector singular_values(const Problem& problem, const Fit& fit);

}  // namespace alo::report
