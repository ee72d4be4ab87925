// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/fit.hpp"
#include "solvers/proximal/row_system.hpp"
#include "solvers/proximal/tangent_system.hpp"

namespace alo {

// Minimises a smooth loss of one output with any penalty lambda R(b) that has a prox,
//
//     sum_i w_i l(o_i + b0 + x_i'b; y_i) + lambda R(b),
//
// on the scale of the fit. A proximal step prox(b - t gradient) shows a pattern, the manifold on which R is
// smooth near its result (Geometry); Newton's method minimises along it; and b is optimal with its pattern
// where the proximal step returns both. Where the patterns of long proximal steps do not lead down,
// accelerated proximal gradient steps find one that does (Beck and Teboulle 2009).
//
// Of a penalty that keeps zeros only the columns that a pattern needs are at work; all slopes are computed
// when those are settled.
class PatternSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  PatternSolver(const Problem& problem, Vector weights);

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  Vector coefficients() const;
  // On the design's own scale of centring: b0 + (X - 1 m')b.
  double intercept() const { return best_.point.intercept; }
  // Of the penalty's terms, where its prox gives them (Fit::multipliers).
  const Vector& multipliers() const { return best_.multipliers; }
  // H_ii; empty where it is cheaper or safer from the fit: many directions, or dependent ones.
  Vector hat();

 private:
  struct Candidate {
    WorkingLoss::Point point;
    Vector multipliers;
    double objective = 0.0;
  };
  Candidate evaluate(Vector coefficients, Vector multipliers);
  Geometry geometry_of(const Candidate& candidate);
  // prox of a step t along slopes, with the multipliers of lambda R.
  Proximal proximal_step(const Vector& coefficients, const Vector& slopes, double step) const;
  double slope_tolerance(const Vector& slopes) const;

  void solve_at(double lambda);
  void start();
  void look_ahead(double lambda);
  // Minimises over the columns at work.
  void settle();
  // Columns that a proximal step from the solution would move join; false where there are none.
  bool admit();
  // Newton's method on the pattern of a point, until no slope along it is larger than `enough` or what counts
  // as zero; what crosses a border of the pattern merges into it.
  Candidate descend(Candidate start, double enough);
  // t with M t = r along the directions of a geometry; long where M is singular and damped.
  struct TangentStep {
    Vector directions;
    bool damped;
  };
  TangentStep newton_step(const Geometry& geometry, const WorkingLoss::Point& point, const Vector& right);
  // Along a move, no farther than to a border of the pattern.
  Candidate moved(const Candidate& from, const Geometry& geometry, const Vector& move);
  // Where the objective is lower by a share of `promise`, its slope along the move.
  std::optional<Candidate> line_search(const Candidate& from, const Geometry& geometry, const Vector& move,
                                       double promise);
  // Where half of the slope along the move is left or less, or at a border of the pattern before that.
  std::optional<Candidate> slope_search(const Candidate& from, const Geometry& geometry, const Vector& move);
  Proximal onto_pattern(const Vector& coefficients, const Vector& subgradient) const;
  void accelerate(int steps);

  const Problem& problem_;
  WorkingLoss loss_;
  RowSystem rows_;
  Candidate best_;
  Vector slopes_;  // of all columns at the last solution
  double lambda_ = 0.0;
  double solved_lambda_;    // of the last solution; infinite at first
  double step_ = 1.0;       // of proximal steps that show many changes at once
  double steepness_ = 0.0;  // of accelerated steps: what their gradient can change by
  double null_slope_ = 0.0;
};

}  // namespace alo
