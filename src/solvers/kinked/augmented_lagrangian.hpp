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
// An augmented Lagrangian: for given targets and stiffness the loss with springs is smooth, and NewtonSolver
// minimises it; the gradient there gives the next targets. Once rows and coefficients stand where they do at
// the solution, what is left is a linear system for the coefficients b on the active set A, the unpenalised
// ones c and the gradients of the pinned rows V,
//
//     Q b_A + X_VA'g_V = -lambda a s_A - X_SA'g_S,   F_V'g_V = -F_S'g_S,   X_VA b_A + F_V c = v_V - o_V,
//
// whose solution is the fit, to rounding, if it keeps every sign and every place.
class AugmentedLagrangian {
 public:
  // `weights` stand in for the problem's own (a row left out).
  AugmentedLagrangian(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  const Vector& coefficients() const { return coefficients_; }
  const Vector& intercept() const { return intercept_; }
  const Vector& subgradient() const { return gradient_; }
  const Vector& linear_predictor() const { return predictor_; }
  Vector hat() const { return {}; }  // not at hand

 private:
  struct Point {
    Vector coefficients, intercept, gradient, predictor;
  };
  struct Pattern {
    std::vector<Index> active;  // columns, the unpenalised ones included
    std::vector<Index> pinned;  // rows
  };
  void begin();
  // False where the linear system at the end was not reached.
  bool solve_from_here(double lambda);
  void minimise_with_springs(double lambda);
  // Steps towards the solution of the linear system; none where it breaks a sign or a place.
  std::optional<Point> polish(double lambda) const;
  Pattern pattern() const;
  void drop_rounding(Point& point) const;
  Point move(const Pattern& pattern, double lambda, const Point& from) const;
  void leave_end(Index i);
  Vector slope_sizes() const;
  // The conditions on the coefficients alone: for the intercept a share of the gradients, for each column
  // what is allowed.
  bool is_stationary(const Point& point, double lambda, double tolerance, const Vector& allowed) const;
  bool is_optimal(const Point& point, double lambda) const;
  Vector predict(const Vector& coefficients, const Vector& intercept) const;

  const Problem& problem_;
  SeparableTerms terms_;
  std::shared_ptr<Springs> springs_;
  // The problem with springs, which the Newton solver refers to: it stays where it is when this is moved.
  std::unique_ptr<const Problem> smooth_;
  NewtonSolver newton_;
  Vector coefficients_;
  Vector intercept_;
  Vector gradient_;
  Vector predictor_;
};

}  // namespace alo
