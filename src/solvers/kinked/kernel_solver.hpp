// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"
#include "solvers/kinked/kernel_active_set.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty in the coordinates of the rows (KernelActiveSet). Their
// kernel is made once, which is worth its cost if rows are not many more than columns.
class KernelSolver {
 public:
  // `weights` replace the problem's own (when a row is left out).
  KernelSolver(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution, on the scale of the fit and with the design's own centring, is given by the products X'g
  // with the gradient, which are computed for several solutions at once, and by the unpenalised coefficients.
  Vector coefficients(const Vector& products, const Vector& unpenalized, double lambda) const;
  Vector coefficients() const;
  const Vector& unpenalized() const { return rows_.coordinates(); }
  double intercept() const { return problem_.intercept() ? unpenalized()[0] : 0.0; }
  const Vector& subgradient() const { return rows_.gradient(); }
  // a_i of the leave-one-out formula; empty if pinned rows depend on each other.
  Vector hat() { return rows_.hat(); }

 private:
  const Problem& problem_;
  RidgeColumns columns_;
  double lambda_ = 0.0;
  KernelActiveSet rows_;
};

}  // namespace alo
