// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

// Simulated problems with penalties that are not separable; each depends on its seed alone.
namespace structure {

struct Case {
  alo::Problem problem;
  int lambdas;
  double ratio;  // of the smallest lambda to that of the null fit

  // A grid from just below the lambda of the null fit, equally spaced in log lambda.
  std::vector<double> grid() const;
};

// Signals of fifty pieces, each with its own normal level of standard deviation 3, and noise of variance
// one.
Case fused_signal(unsigned seed);
Case trend_signal(unsigned seed);
Case parabolas_signal(unsigned seed);
Case grid(unsigned seed);

// Designs with independent standard normal columns and noise of variance one.
Case fused_design(unsigned seed);  // 1000 x 1000, coefficients of 20 levels
Case slope(unsigned seed);         // 500 x 2000, 50 coefficients are one
Case groups(unsigned seed);        // 1000 x 5000 in 500 groups, 20 of which have normal coefficients
Case dense_groups(unsigned seed);  // the same with effects in all groups and smaller lambdas

// Fits along the grid, some at a time, with approximate leave-one-out of each; returns the largest gap.
double fit_and_leave_one_out(const Case& given, const std::vector<double>& lambdas);

// Keeps freed memory, as the command does: otherwise fresh pages take more time than the fits of long
// signals.
void keep_freed_memory();

}  // namespace structure
