// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "completion/completion_solver.hpp"

namespace alo {

// H_jj of the leave-one-out formula for matrix completion,
//
//     H = A (A'WA + lambda Q)^-1 A',   W = diag(w_j l''_j),
//
// with A the derivatives of the linear predictors along the manifold of matrices of the fit's rank (and the
// intercept), and Q the Hessian of the nuclear norm along it (the theorem on the nuclear norm in Wang and
// others 2018). H_jj is how far the linear predictor of observation j moves, to first order and at the same
// rank, when its own w_j l'_j changes by one. In factors B = L R' (factored_system.hpp) the same matrix is
// J H_f^+ J', where H_f is the second derivative of the factored objective, whose blocks are
//
//     D_a = sum_b W_ab R_b R_b' + lambda,  D_b = sum_a W_ab L_a L_a' + lambda,  E_ab = W_ab R_b L_a' + g_ab.
enum class CompletionHatMethod {
  // The factors of the rows (or of the columns, if these are more) are eliminated. The dense Schur complement
  // of order min(p1, p2) times the rank is inverted.
  exact,
  // Each H_jj is predicted from a_j = R_b'D_a^-1 R_b and b_j = L_a'D_b^-1 L_a, its values if only one of the
  // two factors could move, by a regression on unbiased estimates from random signs (Hutchinson 1990).
  probes,
};

struct CompletionHatOptions {
  CompletionHatMethod method = CompletionHatMethod::exact;
  int probes = 30;
  std::uint64_t seed = 1;
};

struct CompletionHat {
  Vector hat;  // H_jj, in the caller's order
  // False where the second derivative is not positive definite: the fit is not unique to second order, or
  // its rank is about to change. Then hat is NaN.
  bool defined = true;
  // Errors that the probes cause in the held-out risk, the mean over observations of w_j l(held-out
  // prediction), relative to that risk: its standard error, and by how much the scatter of H_jj about the
  // regression makes it too small.
  double standard_error = 0.0;
  double scatter_bias = 0.0;
};

// `fit` is an optimum for these data, this loss and this intercept.
CompletionHat completion_hat(const CompletionData& data, const Loss& loss, bool intercept,
                             const CompletionFit& fit, const CompletionHatOptions& options);

// Estimates of the floating-point operations and of the bytes that the exact method needs.
double exact_hat_operations(const CompletionData& data, Index rank);
double exact_hat_bytes(const CompletionData& data, Index rank);

}  // namespace alo
