// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/types.hpp"

namespace alo {

// A node of a function that is linear between nodes, and what the rows up to the next node are to the least
// squares there. With t from 0 at this node to 1 at the next, the hat functions of the two nodes are 1 - t
// and t.
struct HatNode {
  Index row;
  double sign = 0.0;    // of the bend, 0 at the first and the last node
  double value = 0.0;   // of the function
  double excess = 0.0;  // of |v| over lambda when the node was added

  Index end = -1;        // the next node for which the sums below were made
  double here = 0.0;     // sum w (1-t)^2, this row included and the next node's not
  double cross = 0.0;    // sum w t (1-t)
  double there = 0.0;    // sum w t^2
  double here_y = 0.0;   // sum w (1-t) y
  double there_y = 0.0;  // sum w t y
};
using HatNodes = std::vector<HatNode>;

// Makes the sums that are missing.
void sum_rows(HatNodes& nodes, const VectorView& signal, const VectorView& weights);

// Slope behind node k minus slope before it, of the function with these values at the nodes.
template <class Values>
double bend(const HatNodes& nodes, const Values& values, std::size_t k) {
  const double before = static_cast<double>(nodes[k].row - nodes[k - 1].row);
  const double behind = static_cast<double>(nodes[k + 1].row - nodes[k].row);
  return (values[k + 1] - values[k]) / behind - (values[k] - values[k - 1]) / before;
}

// Bend of the function itself.
inline double bend(const HatNodes& nodes, std::size_t k) {
  const double before = static_cast<double>(nodes[k].row - nodes[k - 1].row);
  const double behind = static_cast<double>(nodes[k + 1].row - nodes[k].row);
  return (nodes[k + 1].value - nodes[k].value) / behind - (nodes[k].value - nodes[k - 1].value) / before;
}

// Takes nodes out. The sums of the rows around them are made anew when they are wanted.
void drop_nodes(HatNodes& nodes, const std::vector<char>& drop);

// The normal equations G c = right of the values c at the nodes, for
//   sum_i w_i (y_i - b_i)^2 / 2 + lambda sum_k sign_k bend_k(b),
// G being tridiagonal.
struct HatSystem {
  std::vector<double> diagonal;
  std::vector<double> beside;  // G_(k,k+1)
  std::vector<double> right;

  // From nodes whose sums are made. All members are overwritten.
  void assemble(const HatNodes& nodes, double last_weight, double last_signal, double lambda);
  // c, by a factor LDL' that is left in the members `pivot` and `factor`.
  std::vector<double> solve();

  void factorise();
  std::vector<double> pivot;   // D
  std::vector<double> factor;  // L_(k+1,k)
};

}  // namespace alo
