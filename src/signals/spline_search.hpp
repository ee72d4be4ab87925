// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "signals/discrete_splines.hpp"
#include "signals/spline_system.hpp"

namespace alo {

struct SplineWay;

// A difference of the spline that is not zero, or is to become so.
struct SplineNode {
  Index difference;
  double sign = 0.0;
  double value = 0.0;
  double excess = 0.0;  // of |u| over lambda when it was added
};
using SplineNodes = std::vector<SplineNode>;

// u of spline.hpp, and one more beyond the last, which is zero for an optimal b. What rounding has added up
// since the last node, where u is known, is taken off.
std::vector<long double> spline_dual(const VectorView& signal, const VectorView& weights,
                                     const std::vector<long double>& values, int order,
                                     const SplineNodes& nodes, double lambda);

// The search for the knots of a spline: an active set in the basis of B-splines, whose normal equations are
// banded. While the nodes and their signs stay, the minimiser is that of one linear system. Nodes against
// their sign are dropped; where |u| exceeds lambda one is missing. The same as TrendSearch, for any order.
//
// Rows without weight get a small one, with the value that the spline has there as their signal, until that
// stays the same (the proximal point algorithm, Rockafellar 1976); a smaller one where that takes long.
class SplineSearch {
 public:
  SplineSearch(Vector signal, Vector weights, int order);

  // The minimiser at lambda > 0, from the present nodes. False if it was given up.
  bool solve(double lambda);
  const SplineNodes& nodes() const { return nodes_; }
  // Of the B-splines, at the minimiser.
  const Vector& coefficients() const { return coefficients_; }

 private:
  // A spline on nodes, with its values at the rows.
  struct Point {
    SplineNodes nodes;
    Vector values;
  };
  bool search();
  // Takes the spline as the signal of the rows without weight; true if it was that already, as far as it
  // matters to the others.
  bool take_values();
  // Calls find(), which finds a spline, until the values of these rows stay; false if one of them does not.
  template <class F>
  bool settle_values(F&& find);
  double objective(const SplineNodes& nodes, const Vector& values) const;
  DiscreteSplines splines_of(const SplineNodes& nodes) const;
  Point settle(SplineNodes nodes) const;
  bool step(SplineNodes candidate);
  bool take_step(SplineNodes nodes, const DiscreteSplines& splines, const SplineWay& way);
  void polish();
  double tighten();
  double missing_nodes(SplineNodes& nodes) const;

  Vector signal_;
  Vector weights_;
  std::vector<Index> open_;   // rows without weight
  double open_weight_ = 0.0;  // which they have instead
  double least_open_weight_ = 0.0;
  double moved_ = 0.0;  // by how much their values last changed
  int order_;
  double scale_ = 0.0;      // the largest |w y|
  double magnitude_ = 0.0;  // the largest |y|
  double lambda_ = 0.0;
  SplineNodes nodes_;
  Vector coefficients_;
  Vector values_;
  Vector reference_;   // values at which the objective begins
  double best_ = 0.0;  // objective of the present spline
};

}  // namespace alo
