// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "solvers/kinked/homotopy/kink_homotopy.hpp"

namespace alo {

// The full fit as the start of the walks.
struct KinkHomotopy::Start {
  explicit Start(RowPlaces of_rows) : places(std::move(of_rows)) {}

  const Fit* fit = nullptr;
  double unit = 1.0;  // of gradients and lambda, a power of two by which those of the fit are multiplied
  double lambda = 0.0;
  Vector subgradient;
  Vector predictor;
  double leant = 0.0;                // how far c has been moved from the fit (lean)
  RowPlaces places;                  // of all rows
  Vector room;                       // to the next kink of a row on a piece; else infinite
  std::vector<Index> order;          // rows that are coordinates: V, then, behind c, the others
  Index pinned = 0;                  // size of V, which is independent
  std::vector<Index> coordinate_of;  // every row; -1: it is none
  bool all = false;                  // every row is a coordinate
  double radius = 0.0;               // of moves of the fit with which no row outside meets a kink
  Matrix features;                   // r_j of the coordinates, one per column, unless all are
  Vector scale;                      // diagonal of G
  Matrix tableau;
  KinkWalk walk;

  // The number of the piece or kink of a row.
  int number(Index row) const { return static_cast<int>(places.place(row) / 2); }
  Index coordinate(std::size_t position, Index free) const {
    const auto index = static_cast<Index>(position);
    return index < pinned ? index : index + free;
  }
};

// The results of rows that were walked together.
struct KinkHomotopy::Chunk {
  std::vector<HeldOutRowWalked> walked;
  std::vector<double> moved;      // |t| of the fit, per row
  std::vector<char> met_outside;  // per row: the fit without it moves rows outside beyond a kink
  std::vector<Index> outside;     // those
  Index missed = 0;
};

}  // namespace alo
