// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/kinked/pinned_face.hpp"
#include "solvers/kinked/ridge_active_set.hpp"

namespace alo {

// RidgeActiveSet in the coordinates of the coefficients z, with a linear term for rows that stay on their
// pieces:
//
//     lambda z'D z / 2 + c'z + sum_i f_i(o_i + x_i'z),
//
// where D is one for penalised and zero for other coefficients. With the pinned rows as constraints the
// linear system is that of a PinnedFace; a Newton step of the method of multipliers has the matrix
//
//     lambda D + sigma sum over pinned rows of x_i x_i'.
class CoefficientActiveSet final : public RidgeActiveSet {
 public:
  // A column of `design` for each row; `penalized` is D.
  CoefficientActiveSet(Matrix design, RowPlaces rows, Vector offset, Vector penalized, Vector linear);

  // If the gradients are `trusted`, rows whose gradient lies between two slopes are pinned at first.
  // Otherwise, or if that does not lead to a solution, the search begins with envelopes that pin `bound`
  // rows. False if the optimality conditions could not be met.
  bool solve(double lambda, Index bound, bool trusted);
  // Minimises the first augmented Lagrangian alone.
  void approach(double lambda, Index bound);

 private:
  Vector predict() const override;
  std::optional<Step> step_to_kinks() override;
  Step newton_step(const AugmentedTerm& term, const Vector& derivatives) override;
  Slope penalty_slope(const Step& step, double length) const override;
  Index most_pinned() const override { return coordinates_.size(); }

  AugmentedTerm first_term(Index bound) const;
  // Minus the derivative of the objective with respect to the coefficients, for given gradients of the rows.
  Vector descent(const Vector& gradient) const;
  // The pinned rows as constraints; those of the step before if the rows are the same.
  const PinnedFace& pinned_face();

  Matrix design_;
  Vector penalized_;
  Vector linear_;
  std::vector<Index> pinned_;  // the rows of face_
  std::optional<PinnedFace> face_;
};

}  // namespace alo
