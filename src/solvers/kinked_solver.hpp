// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"
#include "solvers/pinned_rows.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty. Up to some thousands of rows, or fewer than six for each
// column, all rows are worked on at once; of more, those that are near a kink, while the others keep
// their slopes until a look at all rows shows who has passed a kink.
class KinkedSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  KinkedSolver(const Problem& problem, Vector weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  Vector coefficients() const;
  double intercept() const;
  const Vector& subgradient() const { return gradient_; }
  Vector hat();

 private:
  bool solve_all(double lambda);

  const Problem& problem_;
  Vector weights_;
  RidgeColumns columns_;
  double lambda_ = 0.0;
  Vector gradient_;
  Vector free_coefficients_;  // intercept first
  PinnedRows rows_;
};

}  // namespace alo
