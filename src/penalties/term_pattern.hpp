// SPDX-License-Identifier: MIT
#pragma once

#include "penalties/term_interior.hpp"

namespace alo {

// The minimiser with its exact pattern. An interior point shows which terms are zero, the linear system of
// that pattern gives b, and multipliers near those of the interior point that belong to b are checked.
// `guess`: multipliers of a similar problem, whose pattern is tried first; may be empty.
TermSolution solve_terms(const TermQuadratic& problem, const Vector& guess = {});

// argmin_b |b - target|^2 / 2 + lambda |D b|_1.
TermSolution terms_prox(const SparseMatrix& terms, const VectorView& target, double lambda);

// The smallest lambda at which the target, less its part in the null space of D, is D'u with |u_k| <= lambda.
// `free` is a basis of that null space.
double terms_gauge(const SparseMatrix& terms, const SparseMatrix& free, const VectorView& target);

}  // namespace alo
