// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/fit.hpp"
#include "solvers/smooth/reference_factor.hpp"
#include "solvers/smooth/signed_face.hpp"
#include "solvers/smooth/slope_screen.hpp"

namespace alo {

// Minimises a smooth loss with a separable penalty,
//
//     sum_i w_i l(o_i + b0 + x_i'b; y_i) + sum_j ( lambda a_j |b_j| + q_j b_j^2 / 2 ),
//
// on the scale of the fit, where q_j is the factor of the square at lambda (SeparableTerms), with any number
// of outputs.
//
// This is an active-set Newton method. Coordinates that are not zero, and those without an absolute value,
// are the members of a face (SignedFace) on which the objective is smooth. Newton steps (NewtonStep) use a
// factor of an earlier Hessian (ReferenceFactor), and members whose sign would change leave. Coordinates at
// zero with |x_j'r| > lambda a_j join; they are sought among the columns of the working block after every
// step, and among all columns when the members have converged.
class NewtonSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  NewtonSolver(const Problem& problem, Vector weights);

  // Sets the starting point, near the solution at a lambda (scale of the fit, the design's own centring).
  void start_from(const Vector& coefficients, const Vector& intercept, double lambda);
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);
  // Leave-one-out from the solution: after prepare_rows(), without() is the problem without a share of the
  // weight of a row. Its first step leads to the approximate leave-one-out point.
  void prepare_rows();
  NewtonSolver without(Index row, double removed_share) const;
  // Solves at the same lambda; false where the optimality conditions could not be met.
  bool solve_again();

  // The solution on the scale of the fit, output after output.
  Vector coefficients() const;
  // The intercept b0 of the centred design, b0 + (X - 1 m')b.
  Vector intercept() const;
  const Vector& linear_predictor() const { return face_.predictor; }

  // H_ii = x_i'(X'C X + q)^-1 x_i on the members, laid out as the curvature of a loss, from a new factor at
  // the solution; empty where the matrix is too close to singular.
  Vector hat();

 private:
  struct Violator {
    double excess;
    Coordinate coordinate;
    double slope;
    static bool is_worse(const Violator& a, const Violator& b) { return a.excess > b.excess; }
  };

  // The fit of the coordinates without absolute values, where the path begins.
  void solve_null();
  // Starts from the null fit as null_fit() finds it; does nothing where there is none.
  void begin_at_null_fit();
  void solve_at(double lambda, double tolerance);
  bool minimize_over_all(double tolerance);
  // Puts the columns whose slopes may reach lambda beside the members, in the working block.
  void look_ahead(double lambda);
  // Minimises over the members; those of the working block that violate the conditions join on the way.
  void minimize(double tolerance);
  // The largest component of the negative gradient, each relative to its scale (slope_scale).
  double error(const Vector& descent) const;
  double slope_scale(Index column, double size_of_residual) const;
  void refactor();

  bool admit_from_block();
  bool admit_from_all();
  // Lets violators join, except columns that depend on the members; returns how many joined.
  std::size_t admit(std::vector<Violator> violators);
  // Lets the column join, among those that depend on the members, along whose dependence the objective falls
  // fastest; false where it falls along none.
  bool admit_dependent(const std::vector<Violator>& violators);
  // A member that was dropped and is still in the factor becomes a member again.
  bool bring_back(const Violator& violator);
  // The sign with which a coordinate joins; zero, for any sign, where lambda is zero.
  double join_sign(const Violator& violator) const;

  const Problem& problem_;
  SlopeScreen screen_;
  SignedFace face_;
  ReferenceFactor factor_;
  double solved_lambda_;  // of the last solution; infinite at first
};

}  // namespace alo
