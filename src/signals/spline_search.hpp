// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "signals/active_knots.hpp"
#include "signals/discrete_splines.hpp"
#include "signals/spline_system.hpp"

namespace alo {

// The search for the knots of a trend filter: a primal active set method (Nocedal and Wright, Numerical
// Optimization, section 16.5) in the basis of discrete B-splines, in which the normal equations are banded.
// While the knots and the signs of their differences stay, the minimiser is that of one linear system. Knots
// against their sign are dropped, and where |u| exceeds lambda (spline.hpp) one is missing; many knots change
// in a round, as long as the objective falls.
//
// A round costs one pass over all rows, for u, and one over the rows near knots that have changed, for the
// normal equations. All else is done with the coefficients.
//
// Rows without weight may leave the splines of some knots open, on which a round then has no minimiser. Where
// that happens such rows get a small weight, and the value that the spline has there as their signal, until
// that stays the same (the proximal point algorithm, Rockafellar 1976); a smaller weight where that takes
// long.
class SplineSearch {
 public:
  SplineSearch(Vector signal, Vector weights, int order);

  // The minimiser at lambda > 0, from the present knots. False if it was given up.
  bool solve(double lambda);
  const ActiveKnots& knots() const { return spline_.knots; }
  // Of the B-splines, at the minimiser.
  const Vector& coefficients() const { return spline_.coefficients; }

 private:
  struct Spline {
    ActiveKnots knots;
    Vector coefficients;
  };
  // The objective on some knots with their signs, c' G c / 2 - right' c + pull' c but for a constant.
  struct Model {
    DiscreteSplines splines;
    Matrix parts;  // DiscreteSplines::difference_parts
    SplineSystem system;
    Vector pull;

    Vector minimiser() const { return system.solve(system.right() - pull); }
  };
  // By how much the objective is higher elsewhere than at the present spline, and what of that may be
  // rounding.
  struct Change {
    double value;
    double rounding;

    bool is_fall() const { return value < -rounding; }
  };
  struct Settled {
    Spline spline;
    Change change;
  };

  bool search();
  DiscreteSplines splines_of(const ActiveKnots& knots) const;
  Model model_on(const ActiveKnots& knots);
  Change change_by(const Vector& step, const Vector& from, const Model& model,
                   const ActiveKnots& knots) const;
  Settled settle(const ActiveKnots& candidate);
  bool step(ActiveKnots candidate);
  void polish();
  template <class Real>
  double missing_knots(ActiveKnots& knots) const;
  void add_extremes(const Vector& dual, Index begin, Index end, const ActiveKnot& centre,
                    ActiveKnots& found) const;

  bool is_open() const { return !determined_ && open_weight_ == 0.0; }
  void weigh_open_rows(double weight);
  double take_open_values();
  template <class F>
  bool settle_open_rows(F&& find);

  Vector signal_;
  Vector weights_;
  int order_;
  double scale_ = 0.0;      // the largest |w y|
  double magnitude_ = 0.0;  // the largest |y|
  double lambda_ = 0.0;
  PieceSums sums_;
  Spline spline_;

  std::vector<Index> open_;  // rows without weight
  double mean_weight_ = 1.0;
  double open_weight_ = 0.0;  // which they have now
  bool determined_ = true;    // by the rows with weight: all splines since the search began
};

}  // namespace alo
