// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/leave_one_out.hpp"

namespace paper {

// A function of a number with its first two derivatives.
struct Jet {
  double value = 0, slope = 0, curvature = 0;
};

// sum_i loss(x_i'b; y_i) + sum_j penalty(b_j), both twice differentiable.
struct SmoothModel {
  std::function<Jet(double predictor, double response)> loss;
  std::function<Jet(double coefficient)> penalty;
};

// Minimises it by Newton's method from `start`, which becomes the minimiser, and gives its quadratic model
// there: what the leave-one-out formulas take.
alo::LocalModel minimise(const SmoothModel& model, const alo::Matrix& design, const alo::Vector& response,
                         alo::Vector& start);

}  // namespace paper
