// SPDX-License-Identifier: MIT
#pragma once

#include "penalties/term_interior.hpp"

namespace alo {

// The minimiser with its exact pattern: an interior point shows which terms are zero, a linear system on
// these gives b, and the multipliers nearest to those at hand that belong to it are checked. `guess` are
// multipliers of a problem nearby, whose pattern is tried first; it may be empty.
TermSolution solve_terms(const TermQuadratic& problem, const Vector& guess = {});

// argmin_b |b - target|^2 / 2 + lambda |D b|_1.
TermSolution terms_prox(const SparseMatrix& terms, const VectorView& target, double lambda);

// The least lambda at which the target is D'u with |u_k| <= lambda, but for its part in the null space of D,
// of which `free` is a basis.
double terms_gauge(const SparseMatrix& terms, const SparseMatrix& free, const VectorView& target);

}  // namespace alo
