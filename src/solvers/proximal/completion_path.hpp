// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "completion/completion_hat.hpp"
#include "solvers/method.hpp"

namespace alo {

// True for a sparse design each row of which is one entry of the matrix of coefficients.
bool observes_entries(const Design& design);

// Fits of a problem that is a matrix completion: a nuclear norm, a smooth loss of one output, and a sparse
// design each row of which is one entry of the matrix.
class CompletionPath final : public Solver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  CompletionPath(const Problem& problem, const Vector& weights, const FitOptions& options);

  // Starts from a fit of the same problem.
  void start_from(const Fit& fit) override;
  // Fits at falling lambdas; fewer than asked for when the monitor says stop. Where H_ii are wanted they are
  // exact, or where that is too expensive estimated from random probes, together with the resulting error.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;

 private:
  Fit make_fit(const CompletionFit& fit) const;
  // Whether a dense tangent design for a fit of that rank is affordable.
  bool is_small(Index rank) const;

  const Problem& problem_;
  bool carry_hat_;
  CompletionData data_;
  CompletionSolver solver_;
};

}  // namespace alo
