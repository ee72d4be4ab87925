// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "solvers/quadratic/lasso_walk.hpp"
#include "solvers/quadratic/scaled_columns.hpp"

namespace alo {

// Leverages h_i = z_i'(Z_A'Z_A + D)^-1 z_i of the rows, those of the free columns added, kept up
// to date while columns enter and leave A. A pivot at k of the tableau, u = T[:,k], d = u_k, adds
//
//     (Z a)^2 / (d tau),   a = -u on A, and one at an entering k:
//
// the direction that the fit gains or (d < 0) loses. The vectors a / sqrt(|d| tau) wait for one
// matrix product, and marks in their sequence say after which of them leverages are wanted.
//
// Each column of A has a seat, the same for as long as it is in A, and afterwards until that product. Where
// the design is small, the columns on the seats are kept side by side.
class CarriedLeverages {
 public:
  explicit CarriedLeverages(std::shared_ptr<const ScaledColumns> columns);

  void restart();
  // Before the walk pivots at k; `working` are the candidates behind its coordinates.
  void note(const LassoWalk& walk, const std::vector<Index>& working, Index k, const VectorView& u);
  // Leverages are wanted as of now; `trace` is what they sum to. Returns the mark's number.
  std::size_t mark(const LassoWalk& walk, const std::vector<Index>& working, double trace);
  // The leverages at all marks, by number; the last mark is as of now. `ridge` is the diagonal D / tau of the
  // candidates.
  std::vector<Vector> take(const Vector& ridge);

 private:
  struct Mark {
    std::size_t after = 0;  // so many changes
    double trace = 0.0;
    std::vector<Index> active;  // candidates
    Vector leverages;
  };
  struct Seat {
    Index coordinate = 0;  // of the walk
    bool active = false;
  };
  // The seat of a coordinate, found for it if it has none.
  std::size_t seat(Index coordinate, Index candidate);
  void clear_seats();
  void apply();
  void rebuild(Mark& mark, const Vector& ridge) const;

  std::shared_ptr<const ScaledColumns> columns_;
  bool keeps_copies_;
  std::size_t most_waiting_;
  Vector leverages_;
  std::vector<Seat> seats_;
  std::vector<Index> seated_;         // the candidates on them
  std::vector<std::size_t> unused_;   // seats
  std::vector<std::size_t> seat_of_;  // each coordinate of the walk
  Matrix copies_;                     // one column for each seat
  std::vector<Vector> waiting_;       // one entry for each seat
  std::vector<double> signs_;
  std::vector<Mark> marks_;
  std::size_t marks_done_ = 0;
};

}  // namespace alo
