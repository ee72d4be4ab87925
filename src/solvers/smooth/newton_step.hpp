// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "solvers/smooth/reference_factor.hpp"
#include "solvers/smooth/signed_face.hpp"

namespace alo {

// One step towards the minimum of the objective on a face. Members whose sign the Newton step would change
// are led to zero instead and dropped, and the step of the others is solved for again with these held. A step
// that does not lower the objective is replaced by a line search along a direction of descent, up to the
// first change of sign.
class NewtonStep {
 public:
  NewtonStep(SignedFace& face, ReferenceFactor& factor) : face_(face), factor_(factor) {}

  // False where nothing lower was found.
  bool take(const Vector& descent);
  // Follows each dependence of the members, along which the objective is linear, in the direction in which it
  // does not rise, to the first change of sign, and drops that member. False where none was dropped.
  bool exchange();
  // Moves by the Newton step in the range of the Hessian and along each direction of its null space, one
  // after the other, each to where a sign changes or the objective is least. False where nothing lower was
  // found.
  bool take_apart();

 private:
  // Replaces a step by one that leads the members whose sign it would change to zero; those are dropped.
  Vector bend(const Vector& descent, Vector step);
  bool careful(const Vector& descent, Vector step);
  // Drops members at zero (zero_share) whose step has the wrong sign; returns the step of the others.
  Vector drop_blocked(const Vector& descent, Vector step);
  // The length up to which no sign changes, at most `longest`.
  double reach(const Vector& step, double longest) const;
  // Moves along a line, in the direction of descent, to the first change of sign, or to the minimum where the
  // objective would be higher at that change.
  bool follow(Vector direction);
  struct Crossing {
    Index member;  // negative: none
    double length;
  };
  Crossing first_crossing(const Vector& direction) const;
  // The length of the step that minimises the objective, up to the first change of sign. Where the loss is
  // flat the length of a Newton step means nothing, and the pieces with curvature may be narrow.
  double best_length(const Vector& step, double reach) const;
  double slope_along(const Vector& step, const Vector& move, double length) const;
  // The point at a length of the step; members whose sign has changed are set to zero and dropped.
  SignedFace::Trial trial_at(const Vector& step, double length);
  // Bookkeeping after the point has moved.
  void accept(const Vector& descent_before, const Vector& values_before, bool keep_pairs);

  SignedFace& face_;
  ReferenceFactor& factor_;
};

}  // namespace alo
