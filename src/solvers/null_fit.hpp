// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

namespace alo {

// The columns that are always in the model, through the problem's view: ones for the
// intercept, then the unpenalised columns (those without variation left out).
Matrix unpenalized_columns(const Problem& problem);

// Slopes of the loss with zeros at columns without variation, which have no optimality condition.
Vector without_constant_columns(const Problem& problem, Vector slopes);

// Linear predictor of the fit with the unpenalised columns and the offset alone.
Vector null_linear_predictor(const Problem& problem, const VectorView& weights);

}  // namespace alo
