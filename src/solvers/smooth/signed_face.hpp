// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"
#include "solvers/smooth/working_block.hpp"

namespace alo {

// The active coordinates, called members, with their values: those that are not zero, each with its sign s,
// and those without an absolute value, with s = 0. While the signs do not change, the objective
//
//     sum_i w_i l(o_i + b0 + x_i'b; y_i) + sum_j ( lambda a_j |b_j| + q_j b_j^2 / 2 )
//
// is smooth in them. Its negative gradient, the descent, is e = X'r - lambda a s - q b with r = -w l', and
// its Hessian X'C X + q. A member that is dropped is held at zero until it is removed or becomes a member
// again.
struct SignedFace {
  enum class Place : char { outside, member, set_aside };  // set aside: depends on the members
  struct Trial {
    Vector values;
    Vector predictor;
    LossValues loss;
    double objective;
    double magnitude;  // the objective with every term positive: what its rounding is relative to
  };

  SignedFace(const Problem& of, Vector row_weights);

  Index size() const { return static_cast<Index>(members.size()); }
  Index outputs() const { return problem->outputs(); }
  // lambda a_j and q_j.
  double absolute_of(Index column) const;
  double square_of(Index column) const;
  double sign(Index m) const { return signs[static_cast<std::size_t>(m)]; }
  const Coordinate& member(Index m) const { return members[static_cast<std::size_t>(m)]; }
  Place& place(const Coordinate& coordinate) {
    return places[static_cast<std::size_t>(coordinate.output * problem->columns() + coordinate.column)];
  }

  bool is_dropped(Index m) const { return dropped[static_cast<std::size_t>(m)] != 0; }
  void drop(Index m) { dropped[static_cast<std::size_t>(m)] = 1; }
  std::vector<Index> dropped_members() const;
  void forget_dropped();

  // Sets the members from coefficients and intercepts on the scale of the fit.
  void begin_at(const Vector& coefficients, const Vector& intercept);
  // Adds a member with value zero.
  void join(const Coordinate& coordinate, double sign);

  double penalty_of(const Vector& point) const;
  Trial evaluate(Vector point) const;
  void move_to(Trial trial);
  // Computes the slopes of the columns that are new in the block.
  void extend_slopes();
  Vector descent() const;

  const Problem* problem;
  Vector weights;
  SeparableTerms terms;
  double lambda = 0.0;

  WorkingBlock block;
  std::vector<Coordinate> members;
  std::vector<double> signs;
  std::vector<char> dropped;
  Vector values;
  std::vector<Place> places;  // per coordinate, output after output; what was dropped is outside

  Vector predictor;
  double objective = 0.0;
  double magnitude = 0.0;
  Matrix residual;      // n x K, -w l'
  Matrix curvature;     // n x K K, w l''
  Matrix block_slopes;  // X'r of the columns in the block
};

}  // namespace alo
