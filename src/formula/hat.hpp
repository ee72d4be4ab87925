// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/leave_one_out.hpp"

namespace alo {

// A local model without its tangent design: what is known of the rows alone.
LocalModel row_model(const Problem& problem, const Fit& fit);

// The logits of a multinomial with unpenalised intercepts have no level of their own: each row takes that of
// its fitted ones, so that held-out logits can be compared, whatever computed them.
void take_level(const Problem& problem, const Fit& fit, LeaveOneOut& held_out);

// The formula with known H_ii, laid out as Fit::hat.
LeaveOneOut hold_out_by_hat(const Problem& problem, const Fit& fit, const Vector& hat);
// The cheaper of hold_out_primal and hold_out_dual, which have the same result.
LeaveOneOut hold_out_cheapest(const LocalModel& model);

// Held-out rows of which nothing is known yet.
LeaveOneOut nothing_held_out(const Problem& problem);

// The weights without a row, or without one copy of it.
Vector weights_without(const Problem& problem, Index row);

// Diagonal K x K blocks of H = A (A'CA + Q)^-1 A', one per row of `blocks`, stored by columns.
// With one output also 1 - c_i H_ii where it was computed without subtraction.
struct HatBlocks {
  Matrix blocks;  // n x K K
  std::optional<Vector> complement;
};

// Through the Cholesky factor of the d x d matrix A'CA + Q; none when that is numerically singular.
std::optional<HatBlocks> hat_by_coefficients(const LocalModel& model);

// One output. With C^1/2 A split into unpenalised columns and penalised ones, the latter
// divided by the roots of their curvature: an orthonormal basis U of the former, whose
// projector is P = U U', and (I - P) times the latter.
struct PenalizedRows {
  std::vector<Index> free, penalized;  // columns of A
  Matrix free_basis;                   // U
  Matrix free_factor;                  // U' times the former
  Matrix projection;                   // U' times the latter
  Matrix scaled;
};
PenalizedRows penalized_rows(const LocalModel& model);

// One output, d > n: through an n x n matrix. With B = (I - P) C^1/2 A Q^-1/2 as above,
//   J = I - C^1/2 H C^1/2 = (I - P) (I + B B')^-1 (I - P),
// whose diagonal is a sum of squares: no digits cancel when a leverage is near one. Rows in a flat part of
// their loss take H_ii from the same factor; it is not a number where they alone determine a direction.
HatBlocks hat_by_rows(const LocalModel& model);

// With pinned rows: a_i by directions, and by the matrix of the pinned rows. NaN where a row has none: the
// unpenalised directions are not determined without it, or at all.
Vector pinned_hat_by_directions(const LocalModel& local);
Vector pinned_hat_by_rows(const LocalModel& local);

// Rows S_i'A_i, S_i S_i' = C_i: roots of curvatures, and for several outputs triangular factors of the
// blocks.
Matrix root_times_design(const LocalModel& model);
// The block of row i of an n x K K matrix.
Matrix block(const Matrix& blocks, Index i);

}  // namespace alo
