// SPDX-License-Identifier: MIT
#pragma once

#include "alo/problem.hpp"

namespace alo {

// The degrees of freedom of a ridge as a function of lambda (Hastie, Tibshirani and Friedman, section 3.4.1).
// With curvatures c_i of the loss and A = sqrt(C) X diag(f)^-1/2, the unpenalised columns projected out, and
// s_k its singular values,
//
//     df(lambda) = free + sum_k s_k^2 / (s_k^2 + lambda),
//
// of which the limit for lambda towards zero is free + rank. Of a quadratic loss c_i are the weights, and
// this holds along the whole path.
struct RidgeSpectrum {
  Vector squares;  // s_k^2 in falling order, those that are rounding left out
  Index free = 0;  // dimension of the unpenalised columns, intercept included

  double degrees_of_freedom(double lambda) const;
  // The lambda at which the degrees of freedom have come to this share of their limit; none where there are
  // no penalised directions.
  std::optional<double> lambda_at(double share) const;
};

// From all squared singular values, in falling order.
RidgeSpectrum counted_spectrum(const Vector& squares, Index free);
// From the design, by an eigenvalue decomposition of the smaller of A'A and A A'.
RidgeSpectrum ridge_spectrum(const Problem& problem, const Vector& curvature);

}  // namespace alo
