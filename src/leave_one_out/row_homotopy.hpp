// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "solvers/knot_walk.hpp"
#include "solvers/scaled_columns.hpp"

namespace alo {

// Exact leave-one-out for squared loss with a lasso or an elastic net, without refitting.
//
// The fit without row i is the fit in which y_i has been moved to its own prediction. While y_i
// moves, the solution is piecewise affine, and its first piece, extrapolated, is the approximate
// leave-one-out. So each row walks from knot to knot (KnotWalk, thresholds at rest) until its
// residual is zero. All rows begin at the tableau T of the full fit, and their first directions
// are one matrix product, D = T[:,row] = (V Z_A'; Z_N' - T_NA Z_A') / tau; the few pivots of a row
// stay in a list of its own that is thrown away.
//
// Columns far from their threshold are left out of T; whether one of them was met is checked at
// the end of the walks, and the rows it concerns walk again with it.
class RowHomotopy {
 public:
  RowHomotopy(const Problem& problem, const FitOptions& options, int threads);

  struct Result {
    Vector linear_predictor;    // NaN in rows that were not asked for
    std::vector<Index> unsure;  // rows whose walk failed a check: to be refitted
    Index missed = 0;           // sampled rows whose certificate missed the tolerance
    Index knots = 0;            // of all walks
    bool complete = true;       // false: the monitor said stop
  };
  // At a fit of the problem; its own lambda.
  Result run(const Fit& fit, std::vector<Index> rows, const Monitor& monitor);

 private:
  struct Start;
  struct Walked;
  Start begin(const Fit& fit) const;
  void grow(const std::vector<Index>& candidates);
  std::vector<Index> near_columns(const Start& start) const;
  bool make_tableau(Start& start, const std::vector<Index>& others);
  Walked walk_row(const Start& start, Index row, const VectorView& direction, KnotWalk& walk) const;
  std::vector<Index> forgotten(const Start& start, std::span<const Index> rows, const Matrix& changes,
                               const Vector& moved, std::vector<char>& concerned) const;
  Index certify(const Start& start, Index row, const VectorView& state, double prediction) const;

  const Problem& problem_;
  FitOptions options_;
  int threads_;
  Vector share_;
  ScaledColumns columns_;
  std::vector<Index> stored_;  // candidates whose columns are kept
  std::vector<Index> place_;   // of every candidate in `stored_`; -1: not kept
  Matrix block_;               // their Z
  Matrix gram_;                // Z'Z / tau of the block
};

}  // namespace alo
