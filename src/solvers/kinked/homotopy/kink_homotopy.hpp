// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "solvers/held_out_rows.hpp"
#include "solvers/kinked/homotopy/held_out_row.hpp"
#include "solvers/kinked/row_places.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

// True for a loss with kinks and a ridge penalty, to which this applies.
bool has_kink_walks(const Problem& problem);

// The number of rows that are coordinates of the tableau when `pinned` rows are pinned.
Index kink_walk_coordinates(Index rows, Index columns, Index pinned, Index held_out);

// Exact leave-one-out for a loss with kinks and a ridge penalty by homotopy, without refitting.
//
// The fit without row i is the end of the path on which |g_i| shrinks to zero; the first piece of the path,
// extrapolated, is the approximate leave-one-out. All rows start from the tableau T of the full fit
// (KinkWalk), whose columns are their first directions. The few pivots of a row stay in a list of its own
// (OwnPivots).
//
// With many rows and few columns only the rows near their kinks are coordinates of T. A row outside, with
// features r_j (those of K and of F), moves by r_j't when the fit moves by t, so it meets no kink while
// |t| |r_j| is below its distance to one. Where this bound does not suffice, the predictions at the end of
// the walk are computed, and rows that met a kink join T.
class KinkHomotopy {
 public:
  KinkHomotopy(const Problem& problem, const ExactOptions& options);

  struct Result {
    Vector linear_predictor;             // NaN in rows that were not asked for, or not reached
    std::vector<Index> unsure;           // rows whose walk failed a check: to be refitted
    Index missed = 0;                    // sampled rows whose certificate missed the tolerance
    std::vector<RowInterval> intervals;  // of rows whose prediction is the middle of an interval
  };
  // Walks the rows at a fit of the problem. `progress` receives the number of rows done since it was last
  // called, zero between other long pieces of work, and may stop the walks by returning false; it is called
  // by one thread at a time.
  Result run(const Fit& fit, const std::vector<Index>& rows, const std::function<bool(Index)>& progress);

  // For every row whether the first piece of its path is the whole path, so that the approximation is exact;
  // none where that is not decided.
  std::vector<std::optional<bool>> certify(const Fit& fit);

 private:
  struct Start;
  struct Chunk;
  // Receives the results of some rows; returns false to stop.
  using Listener = std::function<bool(std::span<const Index>, const Chunk&)>;

  Start begin(const Fit& fit) const;
  void measure_rooms(Start& start) const;
  bool is_loose(const Start& start) const;
  bool lean(Start& start, double way) const;
  void choose_rows(Start& start, Index held_out) const;
  void store_kernel(Start& start);
  Matrix system(const Start& start) const;
  void hold_dependent_rows(Start& start, const Matrix& matrix) const;
  bool make_tableau(Start& start);
  void stand(Start& start) const;
  Matrix entries(const Start& start, std::span<const Index> rows) const;
  HeldOutRow held_out_row(const Start& start, Index row) const;
  // With `certify` the fit without the row of most knots is certified from the data.
  Chunk walk_rows(const Start& start, std::span<const Index> rows, bool first_piece, bool certify) const;
  bool is_certified(const Start& start, Index row, const HeldOutRowWalked& walked,
                    const VectorView& change) const;
  Vector change_of(const Start& start, const HeldOutRow& row, const HeldOutRowWalked& walked,
                   const KinkWalk& walk) const;
  double size_of_move(const Start& start, const HeldOutRow& row, const HeldOutRowWalked& walked,
                      const VectorView& change, const KinkWalk& walk) const;
  bool is_consistent(const Start& start, Index row, const HeldOutRowWalked& walked, const VectorView& entries,
                     const VectorView& change, const KinkWalk& walk) const;
  void check_outside(const Start& start, std::span<const Index> rows, const Matrix& changes,
                     Chunk& chunk) const;
  // Walks the rows, again with more coordinates where needed. Returns the rows without a result.
  std::vector<Index> walk_all(const Fit& fit, const std::vector<Index>& rows, bool first_piece,
                              const Listener& listener);
  std::vector<Index> walk_leaning(const Start& loose, const std::vector<Index>& rows,
                                  const Listener& listener);
  std::vector<Index> walk_from(Start start, std::vector<Index> rows, bool first_piece,
                               const Listener& listener);

  const Problem& problem_;
  ExactOptions options_;
  Vector share_;
  ScaledRows rows_;
  Matrix free_;               // U, an orthonormal basis of F, stands for it
  double free_weight_ = 1.0;  // rho: sqrt(rho) U counts among the features, which changes nothing, as U'g = 0
  Vector feature_norms_;      // |r_j|
  RowKinks kinks_;            // of all rows
  Matrix kernel_;             // K + rho U U' of all rows, where all are coordinates
};

}  // namespace alo
