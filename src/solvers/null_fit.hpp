// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <vector>

#include "alo/problem.hpp"

namespace alo {

// The columns that are free at lambda, through the problem's view: ones for the intercept, then
// the unpenalised columns (those without variation left out).
Matrix unpenalized_columns(const Problem& problem, double lambda);

// Slopes of the loss with zeros at columns without variation, which have no optimality condition.
Vector without_constant_columns(const Problem& problem, Vector slopes);

// The null fit is the limit of large lambda.
inline constexpr double null_lambda = std::numeric_limits<double>::max();
// Linear predictor of the fit with the unpenalised columns and the offset alone.
Vector null_linear_predictor(const Problem& problem, const VectorView& weights);

}  // namespace alo
