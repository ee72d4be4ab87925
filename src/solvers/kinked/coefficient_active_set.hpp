// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/kinked/pinned_face.hpp"
#include "solvers/kinked/row_places.hpp"

namespace alo {

// Minimises a loss with kinks over some rows, a linear term (of rows that keep to their pieces) and a ridge,
//
//     lambda z'D z / 2 + c'z + sum_i f_i(o_i + x_i'z),
//
// in the coordinates of the coefficients z, D being one for penalised and zero for other ones. By an
// augmented Lagrangian: rows are bound to their kinks by springs (RowPlaces::place_of_proximal), for whose
// targets and stiffness Newton's method with
//
//     lambda D + sigma sum over bound rows of x_i x_i'
//
// and a line search ends after finitely many steps; the gradients are the next targets, of stiffer springs.
// When no more rows are bound than there are coefficients, they are pinned to their kinks, and rows that
// outgrow their places then move to the next ones until none does.
class CoefficientActiveSet {
 public:
  // A column of `rows` for each row; `penalized` is D.
  CoefficientActiveSet(Matrix rows, RowPlaces kinks, Vector offset, Vector penalized, Vector linear);

  // Begins with coefficients, and gradients of the rows for targets.
  void start_from(const Vector& coefficients, const Vector& gradient);
  // Pins the rows with gradients between two slopes as they are; false where that does not lead to a
  // solution.
  bool solve_pinned(double lambda);
  // By springs that first bind `bound` rows. False where the optimality conditions could not be met.
  bool solve(double lambda, Index bound);
  // The springs alone, once.
  void approach(double lambda, Index bound);

  const Vector& coordinates() const { return coefficients_; }
  const Vector& gradient() const { return gradient_; }
  const RowPlaces& places() const { return kinks_; }

 private:
  struct State {
    Vector coefficients, gradient;
    RowPlaces kinks;
  };
  State state() const { return {coefficients_, gradient_, kinks_}; }
  void restore(State state);
  void refresh();

  double first_stiffness(Index bound) const;
  // The targets are the gradients that it begins with.
  void minimise_with_springs(double sigma);
  bool place_by_springs(double sigma, const Vector& targets);
  Vector newton_step(double sigma) const;
  // How the objective with springs falls along a step, from the predictors' change.
  double descent_at(const Vector& step, const Vector& change, double sigma, const Vector& targets,
                    double length) const;
  double best_length(const Vector& step, const Vector& change, double sigma, const Vector& targets) const;

  bool pivot_to_solution(int patience);
  bool move_to_kinks(const PinnedFace& face, const std::vector<Index>& pinned);
  Index move_outgrown(const std::vector<char>& aside);
  void leave_ends();

  Matrix rows_;
  RowPlaces kinks_;
  Vector offset_;
  Vector penalized_;
  Vector linear_;
  double lambda_ = 1.0;

  Vector coefficients_;
  Vector gradient_;
  Vector predictor_;
};

}  // namespace alo
