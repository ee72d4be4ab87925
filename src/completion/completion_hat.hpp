// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "completion/completion_solver.hpp"

namespace alo {

// H_jj of leave-one-out for matrix completion: how far the linear predictor of observation j moves when its
// own w_j l'_j is pushed by one, to first order and at the same rank,
//
//     H = A (A'WA + lambda Q)^-1 A',   W = diag(w_j l''_j),
//
// A being the derivatives of the linear predictors along the manifold of matrices of that rank (and the
// intercept), Q the curvature of the nuclear norm along it. In factors B = L R' (factored_system.hpp) that is
// J H_f^+ J' with the second derivative H_f of the factored objective, whose blocks are
//
//     D_a = sum_b W_ab R_b R_b' + lambda,  D_b = sum_a W_ab L_a L_a' + lambda,  E_ab = W_ab R_b L_a' + g_ab.
enum class CompletionHatMethod {
  // The rows (or the columns, if they are more) are eliminated: a dense matrix of min(p1, p2) rank rows is
  // left, which is inverted.
  exact,
  // Each H_jj is predicted from a_j = R_b'D_a^-1 R_b and b_j = L_a'D_b^-1 L_a, the answers if only one side
  // were free, by a regression on unbiased estimates from random signs.
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
  // Of probes: the standard error that they cause in the mean over observations of w_j l(held-out
  // prediction), and how far below that mean the scatter of H_jj about the regression lets it be, over that
  // mean.
  double standard_error = 0.0;
  double scatter_bias = 0.0;
};

// `fit` is an optimum for these data, this loss and this intercept.
CompletionHat completion_hat(const CompletionData& data, const Loss& loss, bool intercept,
                             const CompletionFit& fit, const CompletionHatOptions& options);

// Floating-point operations, roughly, and bytes of the exact method.
double exact_hat_operations(const CompletionData& data, Index rank);
double exact_hat_bytes(const CompletionData& data, Index rank);
double probe_hat_operations(const CompletionData& data, Index rank, int probes);

}  // namespace alo
