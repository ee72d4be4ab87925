// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"
#include "signals/hat_system.hpp"

namespace alo {

// The search for the nodes of a trend: an active set in the basis of hat functions, whose normal equations
// are tridiagonal. While the nodes and the signs of their bends stay, the minimiser is that of one linear
// system. Nodes that would bend against their sign are dropped; where |v| exceeds lambda (trend.hpp) a node
// is missing.
class TrendSearch {
 public:
  // The first and the last of at least two weights are positive. `magnitude` is the largest number that the
  // signal is a difference of.
  TrendSearch(Vector signal, Vector weights, double magnitude);

  // The minimiser at lambda > 0, from the present nodes. False if it was given up.
  bool solve(double lambda);
  const HatNodes& nodes() const { return nodes_; }

 private:
  double objective(const HatNodes& nodes) const;
  HatSystem system(HatNodes& nodes) const;
  void settle(HatNodes& nodes) const;
  bool step(HatNodes candidate);
  std::vector<double> direction(HatNodes& candidate, HatSystem& equations) const;
  double missing_nodes(HatNodes& nodes);

  Vector signal_;
  Vector weights_;
  double scale_;  // the largest |w y|
  double magnitude_;
  double lambda_ = 0.0;
  HatNodes nodes_;
  double best_ = 0.0;  // objective of the present nodes
  std::vector<double> dual_;
};

}  // namespace alo
