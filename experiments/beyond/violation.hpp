// SPDX-License-Identifier: MIT
#pragma once

#include "alo/leave_one_out.hpp"

namespace paper {

// The violation of the optimality conditions by ALO's step, for squared loss and lasso. With the active
// columns A, G = (X_A'X_A)^-1, residuals r and leverages h, the candidate for the fit without row i is
//
//   b_A - G x_iA r_i / (1 - h_i),  with the residuals  r + X_A G x_iA r_i / (1 - h_i), and none in row i.
//
// It is optimal if no sign of b_A changes and no |x_j'r| of another column exceeds lambda. The violation of
// a row is
//
//   sum over j not in A of (|x_j'r| - lambda)_+ / lambda  +  sum over A of overshoots of signs / mean |b_A|
alo::Vector violation(const alo::Problem& problem, const alo::Fit& fit);

// Spearman's rank correlation.
double rank_correlation(const alo::Vector& a, const alo::Vector& b);

}  // namespace paper
