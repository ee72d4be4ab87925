// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "solvers/method.hpp"

namespace alo {

// A signal with the squared loss whose fit is a proximal map in closed form (ProximalMap): wavelet
// coefficients are soft-thresholded (Donoho and Johnstone 1994), and a fused lasso with |b|_1 is the fused
// lasso without it, soft-thresholded (Friedman, Hastie, Hoefling and Tibshirani 2007). Rows must have weight
// one. Time and memory grow with the entries of D.
class ProximalSignal final : public Solver {
 public:
  explicit ProximalSignal(const Problem& problem);

  // The fits have their H_ii.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // The prediction of a row that is left out: the t for which a row of value t is fitted by t. If there are
  // several, the one nearest to the row's own fit.
  double predict_without(Index row, const Fit& fit) const;

 private:
  Fit fit(const Vector& signal, double lambda) const;

  const ProximalMap& map_;
  Vector signal_;
  Vector offset_;
};

}  // namespace alo
