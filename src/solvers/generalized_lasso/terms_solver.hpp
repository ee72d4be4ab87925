// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "solvers/generalized_lasso/terms_loss.hpp"

namespace alo {

// Minimises a smooth loss with a penalty lambda |D b|_1 whose rows are dependent: of one output where they
// are not the edges of a graph, of several outputs whatever they are, each output with a penalty of its own.
// The loss is replaced by its quadratic model, whose minimiser has its exact pattern (solve_terms), until
// that is where the model was made: one model of a quadratic loss, Newton's method otherwise.
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
  // On the design's own scale of centring: b0 + (X - 1 m')b.
  const Vector& intercept() const { return point_.intercept; }
  const Vector& multipliers() const { return multipliers_; }
  // H_ii; empty where it is safer from the fit.
  Vector hat();

 private:
  double penalty_of(const Vector& coefficients) const;
  void take_lambda(double lambda);
  // Coefficients that a graph joins, and those that are zero, are exactly so.
  void join_exactly();
  // Where the objective is low enough on the way to the model's minimiser, `next` being there.
  TermsLoss::Point lower_point(const TermsLoss::Model& model, TermsLoss::Point next) const;

  const Problem& problem_;
  const GeneralizedLasso& penalty_;
  SparseMatrix terms_;  // D for each output
  std::unique_ptr<TermsLoss> loss_;
  TermsLoss::Point point_;
  Vector multipliers_;
  double lambda_ = 0.0;  // of the solution
  double null_slope_ = 0.0;
};

}  // namespace alo
