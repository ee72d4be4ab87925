// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/cholesky_factor.hpp"
#include "solvers/kinked/ridge_active_set.hpp"

namespace alo {

// RidgeActiveSet in the coordinates of the rows (row_kernel.hpp): the unknowns are g and the unpenalised
// coefficients c of
//
//     eta = o + F c - K g / lambda,   F'g = 0,   g_i a subgradient of row i's loss at eta_i.
//
// With V the rows pinned to kinks v and S the others, which have their slopes, the system is
//
//     K_VV g_V - lambda F_V c = lambda (o_V - v_V) - K_VS g_S,   F_V'g_V = -F_S'g_S,
//
// and that of a Newton step of the method of multipliers has lambda / sigma on the diagonal of K_VV, since a
// pinned row is then at eta_i = v_i + (g_i - m_i) / sigma.
class KernelActiveSet final : public RidgeActiveSet {
 public:
  KernelActiveSet(Matrix kernel, Matrix free, RowPlaces rows, Vector offset);

  // False if the optimality conditions could not be met.
  bool solve(double lambda);

  // The a_i of the held-out predictor eta_i + a_i g_i (theorem on nonsmooth losses of Wang and others 2018);
  // zero for rows with g_i = 0. Empty if the pinned rows depend on each other or do not determine the
  // unpenalised part, or if a row on a piece is at its end. NaN for a row that alone determines a direction
  // of the unpenalised part.
  Vector hat();

 private:
  Vector predict() const override;
  std::optional<Step> step_to_kinks() override { return solve_system(nullptr); }
  Step newton_step(const AugmentedTerm& term, const Vector& derivatives) override;
  Slope penalty_slope(const Step& step, double length) const override;

  // Factors K_VV + ridge anew from the first row on that is no longer pinned.
  void update_factor(double ridge);
  // The step to the solution of the system, or with a term the Newton step. None if the pinned rows do not
  // determine the unpenalised part.
  std::optional<Step> solve_system(const AugmentedTerm* term);
  void hat_on_pieces(const Matrix& reduced, const Matrix& basis, Vector& hat) const;
  void hat_of_pinned(const Matrix& basis, Vector& hat) const;

  Matrix kernel_;
  Matrix free_;

  std::vector<Index> order_;  // the pinned rows in the factor of K_VV + ridge, in its order
  CholeskyFactor factor_;
  double factor_ridge_ = -1.0;
  std::vector<Index> hat_places_;  // the places at which hat_ was computed
  Vector hat_;                     // a_i times lambda, which a change of lambda alone leaves as it is
};

}  // namespace alo
