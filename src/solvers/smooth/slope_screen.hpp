// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

namespace alo {

// Slopes x_j'r of all columns as the residual r moves, of which only those are computed that can matter.
//
// From slopes c_j at the residual R before, each known up to e_j, and with t = r'R / R'R,
//
//     |x_j'r - t c_j| <= |t| e_j + |x_j| |r - t R|,
//
// which is the e_j of the estimate t c_j. A product is needed only where |t c_j| and this together reach the
// column's bound. Several outputs: each has its own t.
class SlopeScreen {
 public:
  explicit SlopeScreen(const Problem& problem);

  // Updates the slopes for a residual (n x K), exact wherever one can reach its bound (p, the same for each
  // output; empty: everywhere); elsewhere an estimate below it.
  void update(const Matrix& residual, const Vector& bounds);
  const Matrix& slopes() const { return slopes_; }  // p x K
  const Vector& norms() const { return norms_; }    // of the columns

 private:
  void compute_all(const Matrix& residual);
  // Carries slopes and errors over to a residual.
  void carry(const Matrix& residual);

  const Problem& problem_;
  Vector norms_;
  Matrix residual_;
  Matrix slopes_;
  Matrix errors_;  // of the slopes
};

}  // namespace alo
