// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

namespace alo {

// Slopes x_j'r of all columns, of which only those are computed that can matter.
//
// From the slopes c_j at an earlier residual R, with t = r'R / R'R,
//
//     |x_j'r| <= |t c_j| + |x_j| |r - t R|,
//
// so columns for which the right side stays below their bound need no product. Several outputs: each has its
// own t.
class SlopeScreen {
 public:
  explicit SlopeScreen(const Problem& problem);

  // Updates the slopes for a residual (n x K), exact wherever one can reach its bound (p, the same for each
  // output; empty: everywhere); elsewhere an estimate below it.
  void update(const Matrix& residual, const Vector& bounds);
  const Matrix& slopes() const { return slopes_; }  // p x K
  const Vector& norms() const { return norms_; }    // of the columns

 private:
  void start_over(const Matrix& residual);

  const Problem& problem_;
  Vector norms_;
  Matrix reference_residual_;
  Matrix reference_slopes_;
  Matrix slopes_;
};

}  // namespace alo
