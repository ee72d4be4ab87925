// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "solvers/quadratic/lasso_walk.hpp"
#include "solvers/quadratic/scaled_columns.hpp"

namespace alo {

// True for the squared loss with absolute values on every penalised coefficient, to which this applies.
bool has_knots(const Problem& problem);

// Exact leave-one-out for the squared loss with a lasso or an elastic net by homotopy, without refitting.
//
// The fit without row i is the fit in which y_i has been replaced by its own held-out prediction (the
// augmented data by which the paper derives its dual approximation). While y_i moves there, the solution is
// piecewise affine, and its first piece, extrapolated, is the approximate leave-one-out. So each row walks
// from knot to knot (LassoWalk with constant thresholds) until its residual is zero. All rows start from the
// tableau T of the full fit, and their first directions are one matrix product,
// D = (V Z_A'; Z_N' - T_NA Z_A') / tau. The few pivots of a row stay in a list of its own (OwnPivots).
//
// Columns far from their threshold are left out of T. At the end of the walks their gradients are checked,
// and rows that met one of them walk again with it. The fewer rows are asked for, the fewer columns join.
class RowHomotopy {
 public:
  RowHomotopy(const Problem& problem, const ExactOptions& options);

  struct Result {
    Vector linear_predictor;    // NaN in rows that were not asked for, or not reached
    std::vector<Index> unsure;  // rows whose walk failed a check: to be refitted
    Index missed = 0;           // sampled rows whose certificate missed the tolerance
  };
  // Walks the rows at a fit of the problem. `progress` receives the number of rows done since it was last
  // called, zero between other long pieces of work, and may stop the walks by returning false; it is called
  // by one thread at a time.
  Result run(const Fit& fit, const std::vector<Index>& rows, const std::function<bool(Index)>& progress);

 private:
  struct Start;
  struct Walked;
  struct Chunk;

  Start begin(const Fit& fit) const;
  Index affordable_columns(std::size_t asked) const;
  std::vector<Index> near_columns(const Start& start, const std::vector<Index>& rows) const;
  bool choose_columns(Start& start, const std::vector<Index>& near, Index most) const;
  void make_room(const std::vector<Index>& candidates, Index most);
  bool store(const std::vector<Index>& candidates, const std::function<bool()>& go_on);
  void store_products(Index first, std::span<const Index> last);
  bool make_tableau(Start& start);
  Matrix entries(const Start& start, std::span<const Index> rows) const;
  Matrix first_directions(const Start& start, const Matrix& entries) const;
  Walked walk_row(const Start& start, Index row, const VectorView& entries, const VectorView& direction,
                  LassoWalk& walk) const;
  bool walk_once(Start& start, std::vector<Index>& rows, Result& result,
                 const std::function<bool(Index)>& progress) const;
  // With `certify` the fit without the row of most knots is certified from the data.
  Chunk walk_rows(const Start& start, std::span<const Index> rows, bool certify) const;
  std::vector<Index> within_reach(const Start& start, std::span<const Index> rows, const Chunk& chunk,
                                  const Matrix& fitted, const std::vector<Index>& outside) const;
  void find_forgotten(const Start& start, std::span<const Index> rows, const Matrix& changes,
                      Chunk& chunk) const;
  bool is_certified(const Start& start, Index row, const VectorView& change, double prediction) const;

  const Problem& problem_;
  ExactOptions options_;
  Vector share_;
  ScaledColumns columns_;
  Vector free_leverages_;
  std::vector<Index> stored_;  // candidates whose products are kept
  std::vector<Index> place_;   // of every candidate among them; -1: not kept
  bool is_sparse_;             // the design: then their Z, which is dense, is made where it is needed
  Matrix gram_;                // their Z'Z / tau
  Matrix tableau_;             // T of the full fit, both triangles
};

}  // namespace alo
