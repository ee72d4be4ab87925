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
// Most rows stay on the piece of their loss where they are expected: their gradients are slopes, and together
// they are one linear term. So the problem is solved on a band of rows, those whose kinks are nearest to the
// expected linear predictors, by CoefficientActiveSet; then all rows are looked at, and those which left
// their pieces join. Expected is the secant through the last two solutions, in log lambda.
class TallSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  TallSolver(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  Vector coefficients() const;
  Vector intercept() const;
  const Vector& subgradient() const { return gradient_; }
  // a_i of the leave-one-out formula; empty where pinned rows depend on each other.
  Vector hat();

 private:
  struct Point {
    double lambda = 0.0;
    Vector coordinates;  // sqrt(f_j) b_j of the penalised columns, then what is not penalised
    Vector predictor;
  };
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
  Index first_band() const;
  // The problem of some rows, with a linear term for the others.
  CoefficientActiveSet band_problem(const std::vector<Index>& band, const Vector& linear) const;
  // Places of all rows, and their gradients, from linear predictors alone.
  void take_slopes(const Vector& predictor);
  // Rows outside the band that are not where they were expected.
  std::vector<Index> strayed(const std::vector<Index>& band, const Vector& predictor) const;
  void fall_back(double lambda);
  bool has_row_at_end() const;

  const Problem& problem_;
  Vector weights_;
  ScaledRows scaled_;
  Matrix free_;       // unpenalised columns, ones for the intercept first
  Vector penalized_;  // one for each penalised coordinate, then zeros
  Vector row_norms_;
  RowPlaces rows_;
  Point current_, before_;
  Vector gradient_;
  bool begun_ = false;    // at a solution
  bool trusted_ = false;  // its pinned rows are a good guess for the next
  std::unique_ptr<AugmentedLagrangian> springs_;
};

}  // namespace alo
