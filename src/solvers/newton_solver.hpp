// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/problem.hpp"
#include "solvers/cholesky_factor.hpp"
#include "solvers/secant_pairs.hpp"
#include "solvers/slope_screen.hpp"
#include "solvers/working_block.hpp"

namespace alo {

// Minimises a smooth loss with a separable penalty,
//
//     sum_i w_i l(o_i + b0 + x_i'b; y_i) + sum_j ( lambda a_j |b_j| + q_j b_j^2 / 2 ),
//
// q_j the square at lambda (SeparableTerms), on the scale of the fit, with any number of outputs.
//
// The members are the coordinates that are not zero, each with its sign s, and those without an absolute
// value. On them, with the signs kept, the objective is smooth, its descent is e = X'r - lambda a s - q b
// with r = -w l', and its curvature M = X'C X + q. M is factored at some reference curvature C and the factor
// kept: it is appended to when members join, and its inverse, corrected by secant pairs, gives the steps.
// A fresh factor is made when the steps taken for want of one have cost as much.
//
//   step   members whose step would change their sign are led to zero instead, the others' step being solved
//          for again, and leave: their rows of the factor stay, held at zero by multipliers;
//   join   coordinates at zero with |x_j'r| > lambda a_j, looked for among the columns that are at hand after
//          every step, and among all columns when the members are settled.
//
// A step that does not lower the objective is replaced by one along a direction of descent, to the first
// change of sign or half as far as often as needed.
class NewtonSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  NewtonSolver(const Problem& problem, Vector weights);

  // Begins at the solution for a lambda, or near it (scale of the fit, the design's own centring).
  void start_from(const Vector& coefficients, const Vector& intercept, double lambda);
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
  const Vector& linear_predictor() const { return predictor_; }

  // Factors anew at the solution: H_ii = x_i'(X'C X + q)^-1 x_i on the members, laid out as the curvature of
  // a loss; empty where the matrix is too close to singular for it.
  Vector hat();

 private:
  enum class Place : char { outside, member, set_aside };  // set aside: depends on the members
  struct Trial {
    Vector values;
    Vector predictor;
    LossValues loss;
    double objective;
    double magnitude;  // the objective with every term positive: what its rounding is relative to
  };
  struct Violator {
    double excess;
    Coordinate coordinate;
    double slope;
  };

  Index size() const { return static_cast<Index>(members_.size()); }
  Index outputs() const { return problem_.outputs(); }
  double absolute_of(Index column) const;
  double square_of(Index column) const;
  bool is_dropped(Index k) const { return dropped_[static_cast<std::size_t>(k)] != 0; }
  Place& place(const Coordinate& coordinate) {
    return places_[static_cast<std::size_t>(coordinate.output * problem_.columns() + coordinate.column)];
  }

  // The fit without absolute values: where the path begins.
  void solve_null();
  void solve_at(double lambda, double tolerance);
  bool settle_all(double tolerance);
  void look_ahead(double lambda);
  // Steps until the members are settled.
  void settle(double tolerance);
  bool admit_from_block();
  bool admit_from_all();
  // What was dropped and is not yet out of the factor comes back.
  bool bring_back(const Violator& violator);
  // Slopes of the columns that are new in the block.
  void extend_slopes();
  // Without a penalty a coordinate has no sign to keep.
  double join_sign(const Violator& violator) const;
  // Those that join; dependent columns only when `forced`.
  std::size_t admit(std::vector<Violator> violators, bool forced);

  double penalty_of(const Vector& values) const;
  Trial evaluate(Vector values) const;
  void move_to(Trial trial);
  Vector descent() const;
  // Largest part of the descent, relative to what counts as zero.
  double error(const Vector& descent) const;

  void refactor();
  // X'C X + q of the members at the reference curvature.
  Matrix reference_system() const;
  bool has_lost_pivot(double tolerance) const;
  Vector stand_in_curvature() const;
  bool refactor_is_due() const;
  double evaluation_cost() const;
  // Steps s with M s = right and given values where members are held.
  Vector solve_held(const Vector& right, const std::vector<Index>& held, const Vector& values) const;
  std::vector<Index> dropped() const;
  Vector direction(const Vector& descent) const;
  // Replaces a direction by one that leads members whose sign it would change to zero; those are dropped.
  Vector bend(const Vector& descent, Vector step);
  bool step(const Vector& descent);
  // Where the objective is least along a step, as far as signs stay. Where the loss is flat a step of its
  // curvature has no length of its own, and the bends that end the descent are narrow.
  double best_length(const Vector& step, double reach) const;
  bool careful_step(const Vector& descent, Vector step);
  Vector without_dropped(Vector descent) const;

  void accept(const Vector& descent_before, Trial trial, bool keep_pairs);

  const Problem& problem_;
  Vector weights_;
  SeparableTerms terms_;
  SlopeScreen screen_;
  double lambda_ = 0.0;
  double solved_lambda_;  // of the last solution; infinite at first

  WorkingBlock block_;
  std::vector<Coordinate> members_;
  std::vector<double> signs_;  // 0 where there is no absolute value
  std::vector<char> dropped_;
  Vector values_;
  std::vector<Place> places_;  // per coordinate, output after output; what was dropped is outside

  CholeskyFactor factor_;
  Matrix reference_curvature_;  // n x K K, weights included
  Vector factor_diagonal_;
  bool is_fresh_ = false;   // the factor is that of the point
  bool is_raised_ = false;  // the factor has more on its diagonal than the curvature
  int evaluations_ = 0;     // at this lambda
  double spent_ = 0.0;      // work of evaluations since the factor was made
  SecantPairs pairs_;

  Vector predictor_;
  double objective_ = 0.0;
  double magnitude_ = 0.0;
  Matrix residual_;      // n x K, -w l'
  Matrix curvature_;     // n x K K, w l''
  Matrix block_slopes_;  // X'r of the columns in the block
};

}  // namespace alo
