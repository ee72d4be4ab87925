// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "alo/fit.hpp"
#include "solvers/kinked/augmented_lagrangian.hpp"
#include "solvers/kinked/coefficient_active_set.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty where rows are many and columns are few.
//
// Most rows are far from their kinks and stay on the piece of their expected linear predictor. Their
// gradients are slopes, and together they are one linear term. So rows are screened: CoefficientActiveSet
// solves the problem of the rows near their kinks, then all rows are checked, and those that have left their
// pieces join. The expected linear predictors are on the secant through the last two solutions, in log
// lambda.
class TallSolver {
 public:
  // `weights` replace the problem's own (when a row is left out).
  TallSolver(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  Vector coefficients() const;
  Vector intercept() const;
  const Vector& subgradient() const { return gradient_; }
  // a_i of the leave-one-out formula; empty if pinned rows depend on each other.
  Vector hat();

 private:
  struct Point {
    double lambda = 0.0;
    Vector coordinates;  // sqrt(f_j) b_j of the penalised columns, the intercept, unpenalised columns
    Vector predictor;
  };
  // The coordinates of coefficients on the scale of the fit, and back.
  Vector coordinates_of(const Vector& coefficients, double intercept) const;
  Vector original_coefficients(const Vector& coordinates) const;
  double original_intercept(const Vector& coordinates) const;
  Vector predict(const Vector& coordinates) const;
  // Products of gradients with the coordinates' columns.
  Vector slopes(const Vector& gradient) const;
  Matrix gather(std::span<const Index> rows) const;

  Point expect(double lambda) const;
  void begin(double lambda);
  bool solve_near(Point expected, double lambda);
  // The rows nearest to their kinks, in ascending order, `joining` among them.
  std::vector<Index> nearest(const Vector& predictor, Index count, const std::vector<Index>& joining) const;
  // The first number of rows near their kinks.
  Index first_count() const;
  // The problem of some rows, with a linear term for the others.
  CoefficientActiveSet near_problem(const std::vector<Index>& near, const Vector& linear) const;
  // Gives all rows the pieces of their linear predictors, and the slopes of these.
  void take_slopes(const Vector& predictor);
  // The rows that have left their pieces and were not among those near their kinks.
  std::vector<Index> strayed(const std::vector<Index>& near, const Vector& predictor) const;
  // Solves for all rows at once.
  void fall_back(double lambda);

  const Problem& problem_;
  Vector weights_;
  ScaledRows scaled_;
  Matrix free_;       // unpenalised columns, ones for the intercept first
  Vector penalized_;  // one for each penalised coordinate, then zeros
  Vector row_norms_;
  RowPlaces rows_;
  Point current_, before_;
  Vector gradient_;
  bool begun_ = false;                          // current_ is a solution
  bool trusted_ = false;                        // its pinned rows are a good guess for the next
  std::unique_ptr<AugmentedLagrangian> whole_;  // of fall_back()
};

}  // namespace alo
