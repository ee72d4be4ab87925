// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/geometry.hpp"
#include "alo/leave_one_out.hpp"

namespace paper {

// A function of a number with its first two derivatives.
struct Jet {
  double value = 0, slope = 0, curvature = 0;
};

// A penalty at some coefficients: its Hessian is Q diag(curvature) Q', Q the orthonormal columns of `basis`,
// or diag(curvature) where that is empty.
struct PenaltyJet {
  double value = 0;
  alo::Vector slope, curvature;
  alo::Matrix basis;
};

// The objective sum_i loss(x_i'b; y_i) + penalty(b), both twice differentiable.
struct SmoothModel {
  std::function<Jet(double predictor, double response)> loss;
  std::function<PenaltyJet(const alo::Vector& coefficients)> penalty;
};

// The penalty sum_j penalty(b_j).
PenaltyJet separable(const std::function<Jet(double)>& penalty, const alo::Vector& coefficients);

// The absolute value smoothed in two ways. The first is sqrt(b^2 + h^2). The second is that of the paper's
// theorems, the convolution with a kernel K_h(s) = K(s / h) / h of compact support: here the triweight kernel
// K(s) = 35/32 (1 - s^2)^3 on [-1, 1]. Beyond h it is |b| itself.
Jet root_absolute(double b, double h);
Jet kernel_absolute(double b, double h);
// max(0, t) smoothed: h log(1 + exp(t / h)), and the convolution with the same kernel.
Jet soft_positive_part(double t, double h);
Jet kernel_positive_part(double t, double h);

// The penalty lambda sum_i f(s_i) over the singular values s of a matrix of coefficients, stored row by row
// with no more rows than columns; f is an even function of width h. With B = U S V' the Hessian is diagonal
// in the directions u_i v_i' (f''), (u_i v_j' + u_j v_i') / sqrt 2 ((f'_i - f'_j) / (s_i - s_j)), (u_i v_j' -
// u_j v_i') / sqrt 2 ((f'_i + f'_j) / (s_i + s_j)), and u_i v_k' beyond the rows (f'_i / s_i).
PenaltyJet spectral(const std::function<Jet(double s, double h)>& f, double h, double lambda,
                    const alo::MatrixShape& shape, const alo::Vector& coefficients);

// Minimises the model by Newton's method from `start`, which becomes the minimiser. Returns the quadratic
// model there, which the leave-one-out formulas take.
alo::LocalModel minimize(const SmoothModel& model, const alo::Matrix& design, const alo::Vector& response,
                         alo::Vector& start);

}  // namespace paper
