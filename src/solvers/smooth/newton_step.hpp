// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "solvers/smooth/reference_factor.hpp"
#include "solvers/smooth/signed_face.hpp"

namespace alo {

// One step of a face towards its minimum. Members whose step would change their sign are led to zero
// instead, the others' step being solved for again, and are dropped. A step that does not lower the objective
// is replaced by one along a direction of descent, to the first change of sign or half as far as often as
// needed.
class NewtonStep {
 public:
  NewtonStep(SignedFace& face, ReferenceFactor& factor) : face_(face), factor_(factor) {}

  // False where nothing lower was found.
  bool take(const Vector& descent);
  // Follows the dependences of the members, along which the objective is linear, downwards or on a level to
  // the first change of sign, whose member is dropped. False where nobody was.
  bool exchange();
  // The step in the range of the curvature and moves in the directions without any, one after the other and
  // each to where a sign changes or the objective is least. False where nothing lower was found.
  bool take_apart();

 private:
  // Replaces a direction by one that leads members whose sign it would change to zero; those are dropped.
  Vector bend(const Vector& descent, Vector step);
  bool careful(const Vector& descent, Vector step);
  // Members at zero, or as good as there, whose step has the wrong sign are dropped; returns the step then.
  Vector drop_blocked(const Vector& descent, Vector step);
  // How far signs stay, but no farther than `longest`.
  double reach(const Vector& step, double longest) const;
  // Along a line, in the direction of descent, to the first change of sign, or where the objective would be
  // higher there to where it is least.
  bool follow(Vector direction);
  struct Crossing {
    Index member;  // negative: none
    double length;
  };
  Crossing first_crossing(const Vector& direction) const;
  // Where the objective is least along a step, as far as signs stay. Where the loss is flat a step of its
  // curvature has no length of its own, and the bends that end the descent are narrow.
  double best_length(const Vector& step, double reach) const;
  double slope_along(const Vector& step, const Vector& move, double length) const;
  // What leaves on the way is dropped.
  SignedFace::Trial trial_at(const Vector& step, double length);
  // The point has moved.
  void accept(const Vector& descent_before, const Vector& values_before, bool keep_pairs);

  SignedFace& face_;
  ReferenceFactor& factor_;
};

}  // namespace alo
