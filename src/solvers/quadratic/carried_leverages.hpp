// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "solvers/quadratic/lasso_walk.hpp"
#include "solvers/quadratic/scaled_columns.hpp"

namespace alo {

// The leverages h_i = z_i'(Z_A'Z_A + D)^-1 z_i of the rows, plus those of the unpenalised columns, updated as
// columns enter and leave the active set A. A pivot of the tableau at k, with u = T[:,k] and d = u_k, adds
//
//     (Z a)^2 / (d tau),   a = -u on A, and one at an entering k
//
// elementwise: the direction that the fit gains or (d < 0) loses. The vectors a / sqrt(|d| tau) wait for one
// common matrix product, and marks in their sequence say after which of them leverages are wanted.
//
// Each column of A has a storage position, its seat. It keeps the seat while it is in A and afterwards until
// the next product. Where the design is small, copies of the seated columns stand side by side.
class CarriedLeverages {
 public:
  explicit CarriedLeverages(std::shared_ptr<const ScaledColumns> columns);

  void restart();
  // To be called before the walk pivots at k; `working` are the candidates of the walk's coordinates.
  void note(const LassoWalk& walk, const std::vector<Index>& working, Index k, const VectorView& u);
  // Asks for the leverages at this point of the walk; `trace` is their sum. Returns the number of the mark.
  std::size_t mark(const LassoWalk& walk, const std::vector<Index>& working, double trace);
  // The leverages at all marks, by number; the last mark is as of now. `ridge` is the diagonal D / tau of the
  // candidates.
  std::vector<Vector> take(const Vector& ridge);

 private:
  struct Mark {
    std::size_t after = 0;  // number of updates before it
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
