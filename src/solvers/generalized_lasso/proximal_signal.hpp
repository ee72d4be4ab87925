// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>
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
  // The predictions of a row that is left out: the t for which a row of value t is fitted by t, an interval.
  // `stays` says that the row's own fit is one of them.
  std::pair<double, double> values_without(Index row, const Fit& fit, bool stays) const;

 private:
  Fit fit(const Vector& signal, double lambda) const;
  // The coefficients of the fit without the row, in which the row has one of its optimal values.
  Vector coefficients_without(Index row, const Fit& fit) const;

  const AnalysisOperator& analysis_;
  const ProximalMap& map_;
  Vector signal_;
  Vector offset_;
};

}  // namespace alo
