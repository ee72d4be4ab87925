// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The shape of the matrix that the coefficients are, if they are one: to the penalty, or by the design.
std::optional<MatrixShape> matrix_shape(const Problem& problem);

// The coefficients of a fit in that shape, on their original scale.
Matrix coefficient_matrix(const Problem& problem, const Fit& fit);

// The singular values above rounding of the matrix that was penalised, falling: their number is its rank.
Vector singular_values(const Problem& problem, const Fit& fit);

}  // namespace alo::report
