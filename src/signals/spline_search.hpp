// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "signals/active_knots.hpp"
#include "signals/discrete_splines.hpp"
#include "signals/spline_system.hpp"

namespace alo {

// The search for the knots of a trend filter: a primal active set method (Nocedal and Wright, Numerical
// Optimization, section 16.5) in the basis of discrete B-splines, in which the normal equations are banded.
// While the knots and the signs of their differences stay, the minimiser solves one linear system. A knot
// whose difference contradicts its sign is dropped, and one is added where |u| exceeds lambda (spline.hpp).
// Many knots change in a round, as long as the objective falls.
//
// A round makes one pass over all rows, for u, and one over the rows near knots that have changed, for the
// normal equations. Everything else takes the coefficients alone.
//
// With rows without weight the minimiser on some knots may not be unique. Such rows then get a small weight,
// and as their signal the value that the spline has there, until it stays the same (the proximal point
// algorithm, Rockafellar 1976); if that takes long, the weight is reduced.
class SplineSearch {
 public:
  SplineSearch(Vector signal, Vector weights, int order);

  // The minimiser at lambda > 0, from the present knots. False if it was given up.
  bool solve(double lambda);
  const ActiveKnots& knots() const { return spline_.knots; }
  // The coefficients of the B-splines at the minimiser.
  const Vector& coefficients() const { return spline_.coefficients; }

 private:
  struct Spline {
    ActiveKnots knots;
    Vector coefficients;
  };
  // The objective for given knots and signs: c' G c / 2 - right' c + pull' c plus a constant, with
  // coefficients c.
  struct Model {
    DiscreteSplines splines;
    Matrix parts;  // DiscreteSplines::difference_parts
    SplineSystem system;
    Vector pull;

    Vector minimizer() const { return system.solve(system.right() - pull); }
  };
  // The objective elsewhere minus that at the present spline, and a bound on the rounding of the difference.
  struct Change {
    double value;
    double rounding;

    bool is_fall() const { return value < -rounding; }
  };
  struct KnotMinimum {
    Spline spline;
    Change change;
  };

  bool search();
  DiscreteSplines splines_of(const ActiveKnots& knots) const;
  Model model_on(const ActiveKnots& knots);
  Change change_by(const Vector& step, const Vector& from, const Model& model,
                   const ActiveKnots& knots) const;
  KnotMinimum minimize_on_knots(const ActiveKnots& candidate);
  bool step(ActiveKnots candidate);
  void polish();
  template <class Real>
  double missing_knots(ActiveKnots& knots) const;
  void add_extremes(const Vector& dual, Index begin, Index end, const ActiveKnot& center,
                    ActiveKnots& found) const;

  bool is_open() const { return !determined_ && open_weight_ == 0.0; }
  void weigh_open_rows(double weight);
  double take_open_values();
  template <class F>
  bool iterate_open_rows(F&& find);

  Vector signal_;
  Vector weights_;
  int order_;
  double scale_ = 0.0;      // the largest w |y|
  double magnitude_ = 0.0;  // the largest |y|
  double lambda_ = 0.0;
  PieceSums sums_;
  Spline spline_;

  std::vector<Index> open_;  // rows without weight
  double mean_weight_ = 1.0;
  double open_weight_ = 0.0;  // that they have now
  bool determined_ = true;    // whether rows with weight have determined all splines since the search began
};

}  // namespace alo
