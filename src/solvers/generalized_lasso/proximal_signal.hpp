// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/penalties/generalized_lasso.hpp"
#include "solvers/method.hpp"

namespace alo {

// A signal with the squared loss whose fit is a proximal point that can be written down: the details of a
// wavelet are shrunk one by one, and a fused lasso with |b|_1 is one without, shrunk towards zero. Rows must
// have weight one. Time and memory grow with the entries of D.
class ProximalSignal final : public Solver {
 public:
  explicit ProximalSignal(const Problem& problem);

  // With H_ii.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // The prediction of a row left out, which is the t at which a row of value t is fitted by t. Of several the
  // one nearest to the row's own fit.
  double predict_without(Index row, const Fit& fit) const;

 private:
  Fit fit(const Vector& signal, double lambda) const;

  const GeneralizedLasso& penalty_;
  Vector signal_;
  Vector offset_;
};

// H_ii of such a fit.
Vector proximal_hat(const GeneralizedLasso& penalty, const Fit& fit);

}  // namespace alo
