// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <vector>

#include "solvers/quadratic/row_homotopy.hpp"

namespace alo {

// The full fit as the start of the walks.
struct RowHomotopy::Start {
  double lambda = 0.0;
  double threshold = 0.0;
  Vector coefficients;       // c of every candidate
  Vector gradient;           // of every candidate, / tau
  Vector ridge;              // D / tau
  Vector residual;           // y - eta
  double response_size = 0;  // max_i sqrt(w_i) |y_i|
  std::vector<Index> order;  // candidates in the tableau, the active ones first
  Index active = 0;
  std::vector<Index> met;  // candidates that walks have met outside the tableau
  LassoWalk walk;
};

struct RowHomotopy::Walked {
  double prediction = std::numeric_limits<double>::quiet_NaN();
  double moved = 0.0;  // move of the response, times sqrt(w) and the removed share
  Index knots = 0;
  bool sure = true;
};

struct RowHomotopy::Chunk {
  std::vector<Walked> walked;
  std::vector<char> met_forgotten;  // per row
  std::vector<Index> forgotten;     // candidates
  Index missed = 0;
};

}  // namespace alo
