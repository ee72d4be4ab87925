// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/fit.hpp"
#include "linalg/secant_pairs.hpp"
#include "solvers/proximal/tangent_system.hpp"
#include "solvers/proximal/working_loss.hpp"

namespace alo {

// Minimises a smooth loss of one output with a penalty on the singular values of a matrix of coefficients,
//
//     sum_i w_i l(o_i + b0 + <X_i, B>; y_i) + lambda R(B),
//
// on the scale of the fit. A solution is where a proximal step returns to: prox(B - t gradient) = B. Its
// singular values that are not zero say the rank, and what the step took off is the subgradient of R there,
// hence the curvature along the manifold of that rank (Geometry). Newton's method moves along its tangent
// space, and the next proximal step brings back to a manifold, of the same rank or another. Where that does
// not lead down, accelerated proximal gradient steps do.
class MatrixSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  MatrixSolver(const Problem& problem, Vector weights);

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  const Vector& coefficients() const { return best_.point.coefficients; }
  // On the design's own scale of centring: b0 + (X - 1 m')b.
  double intercept() const { return best_.point.intercept; }
  // The subgradient of the penalty (Fit::multipliers).
  const Vector& multipliers() const { return best_.multipliers; }
  // H_ii; empty where it is safer from the fit: dependent directions, or rows without curvature.
  Vector hat();

 private:
  struct Candidate {
    WorkingLoss::Point point;
    Vector slopes;           // minus the gradient of the loss
    Vector multipliers;      // of the proximal step that led here; else empty
    double objective = 0.0;  // where it was asked for
  };
  // By X'W X where it is kept, from the best point.
  Candidate at(Vector coefficients) const;
  void look_at_rows(Candidate& candidate) const;
  double objective(const Candidate& candidate) const;
  void weigh(Candidate& candidate) const;
  // Where a proximal step of length t from a point ends.
  Candidate proximal_point(const Candidate& from, double step) const;
  // How far apart two points are, in slopes of a step that leads from one to the other.
  double distance(const Candidate& from, const Candidate& to, double step) const;
  double tolerance(const Candidate& candidate) const;
  // Objectives that differ by less are the same.
  double rounding() const;

  // What rounding can have added to a slope.
  double slopes_lost() const;
  void solve_at(double lambda);
  // The move to where the next solution may be; none where nothing is known.
  Vector predicted(double lambda);
  // Minimises with proximal steps of the present length, from a move that may be empty.
  void settle(const Vector& ahead);
  // A proximal step; how long it was, in slopes.
  double begin();
  // The length that suits the curvature of the loss where the solver is; true where it is much shorter than
  // before.
  bool shorten_step();
  // Of proximal steps from the best point.
  double long_step() const;
  // Newton's step from the best point on its manifold, and one with the system of the last such step.
  Vector newton_move();
  Vector chord_move();
  // What is left of the slopes along the last tangent space.
  Vector tangent_slopes() const;
  // Along a move as far as the proximal step from there leads to a better point; what that step was, in
  // slopes. None where no length of the move does.
  std::optional<double> follow(const Vector& move, double error);
  void accelerate(int steps);

  const Problem& problem_;
  WorkingLoss loss_;
  double lambda_ = 0.0;
  double solved_lambda_;
  double null_slope_ = 0.0;
  double null_loss_ = 0.0;
  double step_ = 1.0;  // suits the curvature of the loss
  Candidate best_;
  double least_error_ = 0.0;  // since the last proximal step that began anew
  double next_step_ = 0.0;    // a bound of the next proximal step from the best point, in slopes
  Geometry geometry_;         // of the last Newton step or leverages
  std::optional<TangentSystem> system_;
  SecantPairs secants_;  // of steps with it, along the tangent space
  Vector last_coefficients_;
  Vector last_slopes_;  // of the tangent space
  struct Solution {
    double lambda;
    Vector coefficients;
    Vector slope;  // dB / dlambda
    Index dimension;
  };
  std::optional<Solution> before_;  // the last solution but one
};

}  // namespace alo
