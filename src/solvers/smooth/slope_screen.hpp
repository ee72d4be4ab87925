// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

namespace alo {

// Slopes x_j'r of all columns as the residual r moves; only those that can reach their bound are computed
// (safe screening).
//
// Given slopes c_j at the previous residual R, each with an error of at most e_j, and t = r'R / R'R, the
// inequality of Cauchy and Schwarz bounds the error of the estimate t c_j,
//
//     |x_j'r - t c_j| <= |t| e_j + |x_j| |r - t R|,
//
// and the right side is its new e_j. A product is computed only where |t c_j| plus this reaches the bound of
// the column. With several outputs each has its own t.
class SlopeScreen {
 public:
  explicit SlopeScreen(const Problem& problem);

  // Updates the slopes for a residual (n x K). They are exact wherever they can reach their bound (one per
  // column, the same for each output; no bounds: everywhere), and estimates below it elsewhere.
  void update(const Matrix& residual, const Vector& bounds);
  const Matrix& slopes() const { return slopes_; }  // p x K
  const Vector& norms() const { return norms_; }    // of the columns

 private:
  void compute_all(const Matrix& residual);
  // Updates the estimates and their error bounds for a new residual.
  void carry(const Matrix& residual);

  const Problem& problem_;
  Vector norms_;
  Matrix residual_;
  Matrix slopes_;
  Matrix errors_;  // of the slopes
};

}  // namespace alo
