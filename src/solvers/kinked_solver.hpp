// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/fit.hpp"
#include "solvers/pinned_rows.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty (PinnedRows). Where rows are not many more than columns
// all of them are worked on at once, and their kernel is made once. Of many rows a band is worked on, those
// nearest to a kink, while the others keep their slopes; a look at all rows shows who has passed a kink, and
// the band grows by those.
class KinkedSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  KinkedSolver(const Problem& problem, const Vector& weights);

  // Begins at the solution of a neighbouring problem.
  void start_from(const Fit& fit);
  void solve(double lambda);

  // The solution on the scale of the fit and the design's own centring.
  Vector coefficients() const;
  double intercept() const { return problem_.intercept() ? free_coefficients_[0] : 0.0; }
  const Vector& subgradient() const { return gradient_; }
  // a_i of the leave-one-out formula; empty where pinned rows depend on each other.
  Vector hat();

 private:
  void solve_all_rows(double lambda);
  void solve_in_bands(double lambda);
  std::vector<Index> nearest_rows(Index count) const;
  void make_band(std::vector<Index> band);
  bool solve_band(double lambda);
  // Rows outside the band that are not on the piece whose slope they have.
  std::vector<Index> passed_rows() const;
  // A row on a piece that is at its end: whether it is pinned is a matter of rounding.
  bool has_row_at_end() const;
  Vector penalized_coefficients(const Vector& gradient, double lambda) const;
  Matrix scaled_rows(const std::vector<Index>& rows) const;

  const Problem& problem_;
  RidgeColumns columns_;
  Matrix free_;  // the unpenalised columns, ones for the intercept first
  KinkedRows places_;
  bool in_bands_;
  double lambda_ = 0.0;
  Vector gradient_;
  Vector free_coefficients_;
  Vector predictor_, predictor_before_;  // of the last two solutions
  Vector norms_;                         // of the rows

  std::vector<Index> band_;  // all rows, or those worked on
  Matrix band_rows_;         // of the penalised columns, divided by the roots of their factors
  std::optional<PinnedRows> rows_;
};

}  // namespace alo
