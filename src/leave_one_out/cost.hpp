// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/problem.hpp"

namespace alo {

// Estimates of work from sizes alone, in operations of a matrix product, so that what is done by default
// does not depend on the machine or its load. Good to a factor of two or three for a lasso.

// Exact leave-one-out of all rows at one lambda whose fit has so many coefficients that are not zero.
// Infinite where it would take a cold refit per row (a quadratic loss without knots).
double exact_leave_one_out_flops(const Problem& problem, Index nonzero);

// A path of falling lambdas, from fit to approximate leave-one-out, whose fits have so many coefficients that
// are not zero. Too low for an elastic net of a quadratic loss.
double path_flops(const Problem& problem, std::span<const Index> nonzero);

// certify_rows at one such lambda.
double certify_rows_flops(const Problem& problem, Index nonzero);

}  // namespace alo
