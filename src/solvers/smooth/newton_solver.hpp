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
// q_j the square at lambda (SeparableTerms), on the scale of the fit, with any number of outputs.
//
// Coordinates that are not zero, and those without an absolute value, are members of a face (SignedFace) on
// which the objective is smooth. A factor of its curvature is kept (ReferenceFactor) and gives the steps
// (NewtonStep), on which members leave. Others join: coordinates at zero with |x_j'r| > lambda a_j, looked
// for among the columns that are at hand after every step, and among all columns when the members are
// settled.
class NewtonSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  NewtonSolver(const Problem& problem, Vector weights);

  // Begins at the solution for a lambda, or near it (scale of the fit, the design's own centring).
  void start_from(const Vector& coefficients, const Vector& intercept, double lambda);
  void start_from(const Fit& fit);
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);
  // Leave-one-out from the solution: after prepare_rows(), the same problem without so much of the weight of
  // a row, whose first step goes to its approximate leave-one-out point.
  void prepare_rows();
  NewtonSolver without(Index row, double removed_share) const;
  // Solves at the same lambda; false where the optimality conditions could not be met.
  bool settle_again();

  // The solution on the scale of the fit, output after output.
  Vector coefficients() const;
  // On the design's own scale of centring: b0 + (X - 1 m')b.
  Vector intercept() const;
  const Vector& linear_predictor() const { return face_.predictor; }

  // Factors anew at the solution: H_ii = x_i'(X'C X + q)^-1 x_i on the members, laid out as the curvature of
  // a loss; empty where the matrix is too close to singular for it.
  Vector hat();

 private:
  struct Violator {
    double excess;
    Coordinate coordinate;
    double slope;
    static bool is_worse(const Violator& a, const Violator& b) { return a.excess > b.excess; }
  };

  // The fit without absolute values: where the path begins.
  void solve_null();
  // At the null fit, found by other means; nowhere else where there is none.
  void begin_at_null_fit();
  void solve_at(double lambda, double tolerance);
  bool settle_all(double tolerance);
  // Columns whose slopes may reach lambda by the time it is solved for are put beside the members.
  void look_ahead(double lambda);
  // Steps until the members are settled.
  void settle(double tolerance);
  // Largest part of the descent, relative to what counts as zero.
  double error(const Vector& descent) const;
  double slope_scale(Index column, double size_of_residual) const;
  void refactor();

  bool admit_from_block();
  bool admit_from_all();
  // Those that join: none of the columns that depend on the members.
  std::size_t admit(std::vector<Violator> violators);
  // Of columns that depend on the members the one whose dependence gains most, if any does.
  bool admit_dependent(const std::vector<Violator>& violators);
  // What was dropped and is not yet out of the factor comes back.
  bool bring_back(const Violator& violator);
  // Without a penalty a coordinate has no sign to keep.
  double join_sign(const Violator& violator) const;

  const Problem& problem_;
  SlopeScreen screen_;
  SignedFace face_;
  ReferenceFactor factor_;
  double solved_lambda_;  // of the last solution; infinite at first
};

}  // namespace alo
