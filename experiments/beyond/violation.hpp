// SPDX-License-Identifier: MIT
#pragma once

#include "alo/leave_one_out.hpp"

namespace paper {

// What ALO's step for a row implies, where the loss is squared and the penalty a lasso: with the active
// columns A, G = (X_A'X_A)^-1, residuals r and leverages h, the candidate for the fit without row i is
//
//   b_A - G x_iA r_i / (1 - h_i),  with the residuals  r + X_A G x_iA r_i / (1 - h_i), and none in row i.
//
// It is that fit if no sign of b_A changes and no |x_j'r| of another column exceeds lambda. The amount by
// which this fails, one number per row:
//
//   sum over j not in A of (|x_j'r| - lambda)_+ / lambda  +  sum over A of overshoots of signs / mean |b_A|
alo::Vector violation(const alo::Problem& problem, const alo::Fit& fit);

// Rank correlation of Spearman.
double rank_correlation(const alo::Vector& a, const alo::Vector& b);

}  // namespace paper
