// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"
#include "completion/entry_list.hpp"

// Products with the observed entries of a matrix B = L R' that is never formed. L and R lie side by side in
// one matrix of k rows: column a of the first p1 is row a of L, column b of the p2 others row b of R. Each
// function is one pass over the entries.
namespace alo {

// k is rounded up to a multiple of four by adding zeros: four doubles fill an AVX register, so inner loops
// have no remainder. Only the speed depends on it.
inline constexpr Index factor_padding = 4;
inline Index padded_rank(Index rank) {
  return (rank + factor_padding - 1) / factor_padding * factor_padding;
}

// L_a'R_b of each entry.
Vector entry_values(const EntryList& entries, const Matrix& factors);
// The derivative of these values along a direction (dL, dR): dL_a'R_b + L_a'dR_b.
Vector entry_derivatives(const EntryList& entries, const Matrix& factors, const Matrix& direction);
// G R and G'L, where G is the sparse matrix of the numbers g_j at the entries.
Matrix entry_sums(const EntryList& entries, const Vector& numbers, const Matrix& factors);
// J'WJ (dL, dR) + (G dR, G'dL), J being that derivative: the second derivative of a sum of functions of the
// entries whose first derivatives are `slope` (G) and whose second are `curvature` (W).
Matrix entry_curvature(const EntryList& entries, const Vector& slope, const Vector& curvature,
                       const Matrix& factors, const Matrix& direction);
// The blocks of J'WJ on its diagonal, one k x k block after the other: sum_b W_ab R_b R_b', then
// sum_a W_ab L_a L_a'.
Matrix entry_blocks(const EntryList& entries, const Vector& curvature, const Matrix& factors);
// Column i of `vectors` times block i.
Matrix multiply_blocks(const Matrix& blocks, const Matrix& vectors);

// G x and G'x of one vector.
Vector multiply_entries(const EntryList& entries, const Vector& numbers, const VectorView& x);
Vector transpose_multiply_entries(const EntryList& entries, const Vector& numbers, const VectorView& x);

}  // namespace alo
