// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"
#include "solvers/kinked/kernel_active_set.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty in the coordinates of the rows (KernelActiveSet), whose
// kernel is made once: where rows are not many more than columns.
class KernelSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  KernelSolver(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring is in the products X'g with the
  // gradient, which several solutions share, and what is not penalised.
  Vector coefficients(const Vector& products, const Vector& unpenalized, double lambda) const;
  Vector coefficients() const;
  const Vector& unpenalized() const { return rows_.coordinates(); }
  double intercept() const { return problem_.intercept() ? unpenalized()[0] : 0.0; }
  const Vector& subgradient() const { return rows_.gradient(); }
  // a_i of the leave-one-out formula; empty where pinned rows depend on each other.
  Vector hat() { return rows_.hat(); }

 private:
  const Problem& problem_;
  RidgeColumns columns_;
  double lambda_ = 0.0;
  KernelActiveSet rows_;
};

}  // namespace alo
