// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "alo/fit.hpp"
#include "solvers/kinked/moreau_loss.hpp"
#include "solvers/smooth/newton_solver.hpp"

namespace alo {

// Minimises a loss with kinks and any separable penalty, an absolute value alone included (a linear program).
//
// It uses the method of multipliers (AugmentedTerm), whose smooth problems NewtonSolver minimises. Once rows
// and coefficients have the places and signs of the solution, the rest is a linear system for the
// coefficients b on the active set A, the unpenalised coefficients c and the gradients of the pinned rows V,
//
//     Q b_A + X_VA'g_V = -lambda a s_A - X_SA'g_S,   F_V'g_V = -F_S'g_S,   X_VA b_A + F_V c = v_V - o_V,
//
// whose solution (PinnedFace) is the fit up to rounding, if it keeps every sign and every place.
class AugmentedLagrangian {
 public:
  // `weights` replace the problem's own (when a row is left out).
  AugmentedLagrangian(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  const Vector& coefficients() const { return point_.coefficients; }
  const Vector& intercept() const { return point_.intercept; }
  const Vector& subgradient() const { return point_.gradient; }
  const Vector& linear_predictor() const { return point_.predictor; }
  Vector hat() const { return {}; }  // not at hand

 private:
  struct Point {
    Vector coefficients, intercept, gradient, predictor;
  };
  // False if the search has ended without a solution of the linear system.
  bool solve_from_here(double lambda);
  void minimize_augmented(double lambda);
  // The solution of the linear system; none where it breaks a sign or a place.
  std::optional<Point> polish(double lambda) const;
  // Columns with coefficients that are not zero, and the unpenalised ones.
  std::vector<Index> active_columns() const;
  void drop_rounding(Point& point) const;
  // Whether the optimality conditions on the coefficients hold: with an intercept |sum of g| is at most
  // `tolerance` times the sum of |g|, and the distance to the subdifferential is at most `allowed` for each
  // column.
  bool is_stationary(const Point& point, double lambda, double tolerance, const Vector& allowed) const;
  bool is_optimal(const Point& point, double lambda) const;
  Vector predict(const Vector& coefficients, const Vector& intercept) const;

  const Problem& problem_;
  SeparableTerms terms_;
  Vector norms_;  // of the columns
  std::shared_ptr<MoreauRows> rows_;
  // The problem with Moreau envelopes, which the Newton solver refers to: it stays where it is when this is
  // moved.
  std::unique_ptr<const Problem> smooth_;
  NewtonSolver newton_;
  Point point_;
};

}  // namespace alo
