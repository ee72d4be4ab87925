// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/leave_one_out.hpp"
#include "solvers/smooth/newton_solver.hpp"

namespace alo {

// Exact leave-one-out of a smooth loss, one fit at a time, rows in parallel. The fits without each row start
// from their approximate leave-one-out point and take a few steps with the factor of the full fit (the chord
// method).
class NewtonRows {
 public:
  NewtonRows(const Problem& problem, const std::vector<Index>& rows, const ExactOptions& options);

  // Called with the number of rows that are done; false: stop.
  using Progress = std::function<bool(Index)>;
  struct Result {
    Matrix linear_predictor;  // one row per row asked for, one column per output; NaN where there is no fit
    Index missed = 0;         // fits that did not converge, or failed the certificate where it was computed
  };
  Result run(const Fit& fit, const Progress& progress);

 private:
  bool fails_certificate(Index row, double lambda, const NewtonSolver& solver) const;

  const Problem& problem_;
  const std::vector<Index>& rows_;
  ExactOptions options_;
  Vector removed_share_;
  std::vector<char> has_fit_;  // per row asked for
  NewtonSolver solver_;
  Index certified_ = 0;  // counts fits: some are certified
};

}  // namespace alo
