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
// on the scale of the fit. The result of a proximal step prox(b - t gradient) identifies a pattern, the
// manifold on which R is smooth near it (Geometry), and Newton's method minimises along that manifold (as in
// Bareilles, Iutzeler and Malick 2023, Mathematical Programming 200). b is optimal if the proximal step
// returns b with its pattern. Where the patterns of long proximal steps do not lower the objective,
// accelerated proximal gradient steps find one that does (Beck and Teboulle 2009).
//
// For a penalty that keeps zeros only the columns of a working set are copied; the slopes of all columns are
// computed when the search on these has converged.
class PatternSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  PatternSolver(const Problem& problem, Vector weights);

  // Starts from a fit of the same problem.
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  Vector coefficients() const;
  // The intercept b0 of the centred design, b0 + (X - 1 m')b.
  double intercept() const { return best_.point.intercept; }
  // The multipliers of the penalty's terms, where its proximal map gives them (Fit::multipliers).
  const Vector& multipliers() const { return best_.multipliers; }
  // H_ii; empty where the general formula is cheaper (many directions) or more accurate (dependent ones).
  Vector hat();

 private:
  struct Candidate {
    WorkingLoss::Point point;
    Vector multipliers;
    double objective = 0.0;
  };
  Candidate evaluate(Vector coefficients, Vector multipliers);
  Geometry geometry_of(const Candidate& candidate);
  // The proximal step of length t along slopes, with the multipliers of lambda R.
  Proximal proximal_step(const Vector& coefficients, const Vector& slopes, double step) const;
  double slope_tolerance(const Vector& slopes) const;

  void solve_at(double lambda);
  void start();
  void look_ahead(double lambda);
  // Minimises over the columns of the working set.
  void minimize();
  // Adds the columns that a proximal step from the solution would move; false where there are none.
  bool admit();
  // Newton's method on the pattern of a point, until no slope along it exceeds `enough` or what counts as
  // zero. Coefficients that cross a border of the pattern are merged or set to zero.
  Candidate descend(Candidate start, double enough);
  // A step t with M t = r along the directions of a geometry; it is long where M is singular and damped.
  struct TangentStep {
    Vector directions;
    bool damped;
  };
  TangentStep newton_step(const Geometry& geometry, const WorkingLoss::Point& point, const Vector& right);
  // The point after a move, which ends at a border of the pattern.
  Candidate moved(const Candidate& from, const Geometry& geometry, const Vector& move);
  // Backtracking until Armijo's condition holds; `promise` is the slope along the move.
  std::optional<Candidate> line_search(const Candidate& from, const Geometry& geometry, const Vector& move,
                                       double promise);
  // The point on the move where at most half of the slope is left, or at a border of the pattern before that.
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
