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
// on the scale of the fit. A solution is a fixed point of the proximal step, prox(B - t gradient) = B. The
// result of a proximal step has an exact rank, and the difference that the proximal operator made is a
// subgradient of R there, which gives the curvature along the manifold of that rank (Geometry). Newton's
// method moves along the tangent space, and the next proximal step returns to a manifold of the same or
// another rank. Where this does not lower the objective, accelerated proximal gradient steps do.
class MatrixSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  MatrixSolver(const Problem& problem, Vector weights);

  // Starts from a fit of the same problem.
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  const Vector& coefficients() const { return best_.point.coefficients; }
  // The intercept b0 of the centred design, b0 + (X - 1 m')b.
  double intercept() const { return best_.point.intercept; }
  // The subgradient of the penalty (Fit::multipliers).
  const Vector& multipliers() const { return best_.multipliers; }
  // H_ii; empty where the general formula is more accurate: dependent directions, or rows without curvature.
  Vector hat();

 private:
  struct Candidate {
    WorkingLoss::Point point;
    Vector slopes;           // minus the gradient of the loss
    Vector multipliers;      // of the proximal step that led here; else empty
    double objective = 0.0;  // where it was asked for
  };
  // The candidate at some coefficients, by X'W X from the best point where that matrix is kept.
  Candidate at(Vector coefficients) const;
  void look_at_rows(Candidate& candidate) const;
  double objective(const Candidate& candidate) const;
  void weigh(Candidate& candidate) const;
  // The end of a proximal step of length t from a point.
  Candidate proximal_point(const Candidate& from, double step) const;
  // The distance of two points divided by the step size, which is in units of slopes.
  double distance(const Candidate& from, const Candidate& to, double step) const;
  double tolerance(const Candidate& candidate) const;
  // Objectives that differ by less are equal.
  double rounding() const;

  // A bound on the rounding of a slope.
  double slopes_lost() const;
  void solve_at(double lambda);
  // The predicted move to the next solution; empty where there is no prediction.
  Vector predicted(double lambda);
  // Minimises with proximal steps of the present length, after a predicted move that may be empty.
  void minimize(const Vector& ahead);
  // Makes a proximal step; returns its length in units of slopes.
  double begin();
  // Sets the step size to the inverse of the mean curvature at the best point; true where it is much shorter
  // than before.
  bool shorten_step();
  // The step size of proximal steps from the best point.
  double long_step() const;
  // The Newton step from the best point on its manifold, and a chord step with the system of the last one,
  // corrected by secant pairs.
  Vector newton_move();
  Vector chord_move();
  // The negative gradient of the objective along the last tangent space.
  Vector tangent_slopes() const;
  // Moves by the largest of the halved moves from which a proximal step leads to a better point; returns the
  // length of that proximal step in units of slopes. None where there is no such move.
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
