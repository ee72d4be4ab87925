// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/leave_one_out.hpp"

namespace alo {

// The local model without its tangent design: predictors, derivatives, curvatures and pinned rows.
LocalModel row_model(const Problem& problem, const Fit& fit);

// The logits of a multinomial with unpenalised intercepts are determined up to a common number per row (the
// level). Each held-out row is given the level of its fitted logits, so that the results of different methods
// can be compared.
void take_level(const Problem& problem, const Fit& fit, LeaveOneOut& held_out);

// The leave-one-out formula with known H_ii, laid out as Fit::hat.
LeaveOneOut hold_out_by_hat(const Problem& problem, const Fit& fit, const Vector& hat);
// The cheaper of hold_out_primal and hold_out_dual. Both have the same result (the paper's theorem on the
// equivalence of primal and dual).
LeaveOneOut hold_out_cheapest(const LocalModel& model);

// A result in which every prediction is still NaN.
LeaveOneOut nothing_held_out(const Problem& problem);

// The weights of the problem without a row, or without one copy of it (frequency weights).
Vector weights_without(const Problem& problem, Index row);

// The diagonal K x K blocks of H = A (A'CA + Q)^-1 A', one per row of `blocks`, stored by columns. With one
// output also the complement 1 - c_i H_ii, where it was computed without subtraction.
struct HatBlocks {
  Matrix blocks;  // n x K K
  std::optional<Vector> complement;
};

// Whether H_ii from the Cholesky factor of a matrix with this diagonal would have too few digits: a pivot is
// small beside its own diagonal entry (leverage_pivot), or is rounding beside the largest one.
bool has_small_pivot(const Matrix& lower, const VectorView& diagonal);

// H from the Cholesky factor of the d x d matrix A'CA + Q; none when that is numerically singular.
std::optional<HatBlocks> hat_by_coefficients(const LocalModel& model);

// For one output: C^1/2 A split into its unpenalised columns F and its penalised columns Z = C^1/2 A Q^-1/2,
// with U an orthonormal basis of F and P = U U'.
struct PenalizedRows {
  std::vector<Index> free, penalized;  // columns of A
  Matrix free_basis;                   // U
  Matrix free_factor;                  // U'F
  Matrix projection;                   // U'Z
  Matrix scaled;                       // B = (I - P) Z
};
PenalizedRows penalized_rows(const LocalModel& model);

// H for one output and d > n, from an n x n matrix: the Woodbury identity gives
//   J = I - C^1/2 H C^1/2 = (I - P) (I + B B')^-1 (I - P),
// whose diagonal is a sum of squares, so no digits cancel when a leverage is near one. Rows without curvature
// take H_ii from the same factor; it is NaN where such a row alone determines a direction.
HatBlocks hat_by_rows(const LocalModel& model);

// The factors W_ii of a loss with pinned rows (pinned_hat.cpp), those of the fit's formula for rows without
// curvature, computed in the space of directions or from
// the Gram matrix of the pinned rows. A row has NaN where the unpenalised directions are not determined
// without it, or not at all.
Vector pinned_hat_by_directions(const LocalModel& local);
Vector pinned_hat_by_rows(const LocalModel& local);

// The rows S_i'A_i with S_i S_i' = C_i: square roots of the curvatures, or for several outputs their factors
// (CurvatureFactor).
Matrix root_times_design(const LocalModel& model);
// The block of row i of an n x K K matrix.
Matrix block(const Matrix& blocks, Index i);

}  // namespace alo
