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

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit) override;
  // At falling lambdas, at fewer when the monitor says stop. H_ii come with the fits where they are wanted:
  // exact, or where that is too dear from random probes, with the error that these cause.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;

 private:
  Fit make_fit(const CompletionFit& fit) const;
  // Of a fit of that rank a dense design of all directions is no burden.
  bool is_small(Index rank) const;

  const Problem& problem_;
  bool carry_hat_;
  CompletionData data_;
  CompletionSolver solver_;
};

}  // namespace alo
