// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

// Simulated problems with penalties on more than one coefficient, the same for the same seed here.
namespace structure {

struct Case {
  alo::Problem problem;
  int lambdas;
  double ratio;  // of the smallest lambda to that of the null fit

  // From just below the lambda of the null fit, equally spaced in log.
  std::vector<double> grid() const;
};

// Signals with a level of its own, of standard deviation 3, for every fiftieth of the rows, and noise of
// variance one.
Case fused_signal(unsigned seed);
Case trend_signal(unsigned seed);
Case parabolas_signal(unsigned seed);
Case grid(unsigned seed);

// Independent standard normal columns and noise of variance one.
Case fused_design(unsigned seed);  // 1000 x 1000, coefficients of 20 levels
Case slope(unsigned seed);         // 500 x 2000, 50 coefficients are one
Case groups(unsigned seed);        // 1000 x 5000 in 500 groups, of which 20 are normal
Case dense_groups(unsigned seed);  // the same with effects in all groups, and further down

// Fits along the grid, some at a time, and approximate leave-one-out of each; the largest gap.
double fit_and_leave_one_out(const Case& given, const std::vector<double>& lambdas);

// As the command does: freed memory is kept, or fresh pages take more time than the fits of long signals.
void keep_freed_memory();

}  // namespace structure
