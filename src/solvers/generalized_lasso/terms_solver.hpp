// SPDX-License-Identifier: MIT
#pragma once

#include "alo/analysis_operator.hpp"
#include "alo/fit.hpp"
#include "solvers/generalized_lasso/terms_loss.hpp"

namespace alo {

// Minimises a smooth loss with a penalty lambda |D b|_1 where D has dependent rows: one output and a D
// whose structure shows no proximal points, or several outputs and any D, each output with its own penalty.
// The loss is replaced by its quadratic model, which is minimised with its exact pattern (solve_terms), until
// the minimiser is the point at which the model was made. A quadratic loss takes one model; otherwise this is
// a proximal Newton method.
class TermsSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  TermsSolver(const Problem& problem, Vector weights);

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit, one output after another.
  const Vector& coefficients() const { return point_.coefficients; }
  // The intercept b0 of the centred design, b0 + (X - 1 m')b.
  const Vector& intercept() const { return point_.intercept; }
  const Vector& multipliers() const { return multipliers_; }
  // H_ii; empty where the general formula is more accurate.
  Vector hat();

 private:
  double penalty_of(const Vector& coefficients) const;
  void take_lambda(double lambda);
  // Removes from the coefficients what rounding has left of terms that are zero.
  void round_onto_pattern();
  // Backtracking from the model's minimiser `next` until Armijo's condition holds.
  TermsLoss::Point lower_point(const TermsLoss::Model& model, TermsLoss::Point next) const;

  const Problem& problem_;
  const AnalysisOperator& analysis_;
  SparseMatrix terms_;  // D for each output
  std::unique_ptr<TermsLoss> loss_;
  TermsLoss::Point point_;
  Vector multipliers_;
  double lambda_ = 0.0;  // of the solution
  double null_slope_ = 0.0;
};

}  // namespace alo
