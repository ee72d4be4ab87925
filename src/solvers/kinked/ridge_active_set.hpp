// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "solvers/kinked/row_places.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty, with the linear algebra of a choice of coordinates as
// virtual functions.
//
// For known places of the rows (RowPlaces) eta_i are the kinks of the pinned rows and g_i the slopes of the
// others, which is one linear system. A primal-dual active set method (Hintermueller, Ito and Kunisch 2002)
// solves it, moves all rows that have passed an end of their place at once, and repeats; from a neighbouring
// lambda it ends after a few rounds. Otherwise the method of multipliers (AugmentedTerm) leads there: its
// semismooth Newton steps solve the same system with lambda / sigma added to the diagonal of the pinned rows'
// kernel, and a line search makes them converge from any start.
class RidgeActiveSet {
 public:
  virtual ~RidgeActiveSet() = default;

  // Begins near a solution.
  void start_from(const Vector& coordinates, const Vector& gradient);

  const Vector& coordinates() const { return coordinates_; }
  const Vector& gradient() const { return gradient_; }
  const RowPlaces& places() const { return rows_; }

 protected:
  RidgeActiveSet(RowPlaces rows, Vector offset);
  RidgeActiveSet(const RidgeActiveSet&) = default;
  RidgeActiveSet(RidgeActiveSet&&) = default;
  RidgeActiveSet& operator=(const RidgeActiveSet&) = default;
  RidgeActiveSet& operator=(RidgeActiveSet&&) = default;

  enum class StepLength {
    newton,   // the step leads to the solution of its system
    cut,      // the step is a part of that, because a direction with hardly any curvature would lead too far
    unknown,  // the step is only a direction of descent, which the line search may follow beyond its end
  };
  struct Step {
    Vector coordinates;
    Vector gradient;   // the change of g if g is among the unknowns of the coordinates
    Vector predictor;  // the change of eta
    StepLength length = StepLength::newton;
  };
  struct Slope {
    double value;
    double size;  // the sum of the sizes of its terms, to which its rounding is relative
  };

  // The linear algebra of the coordinates follows. This one computes eta at the present coordinates and g.
  virtual Vector predict() const = 0;
  // The step to the point at which pinned rows are at their kinks and the others have their slopes. Sets
  // depends_ for pinned rows that depend on others. None if the system has no solution.
  virtual std::optional<Step> step_to_kinks() = 0;
  // A step towards the minimum of the augmented Lagrangian, whose envelopes have these derivatives.
  virtual Step newton_step(const AugmentedTerm& term, const Vector& derivatives) = 0;
  // The derivative, along a step, of the part of the objective that is not the losses of the rows.
  virtual Slope penalty_slope(const Step& step, double length) const = 0;
  // More rows than this cannot all be at their kinks.
  virtual Index most_pinned() const { return rows_.size(); }

  void refresh() { predictor_ = predict(); }
  // The primal-dual active set. False, with nothing changed, if `patience` rounds in a row had no fewer moves
  // than the best round before.
  bool solve_pinned(int patience);
  // The method of multipliers, each round followed by the active set.
  bool solve_augmented(AugmentedTerm term);
  // One round of the method of multipliers: semismooth Newton steps with a line search.
  MultiplierRound minimize_augmented(const AugmentedTerm& term);

  RowPlaces rows_;
  Vector offset_;
  double lambda_ = 1.0;
  Vector coordinates_;
  Vector gradient_;            // g
  Vector predictor_;           // eta
  std::vector<char> depends_;  // for each row, of the last step_to_kinks()

 private:
  void apply(const Step& step, double length);
  std::optional<Index> moves_after_step();
  bool pivot_to_solution(int patience);
  double line_search(const Step& step, const AugmentedTerm& term, const Vector& derivatives) const;
};

}  // namespace alo
