// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "alo/problem.hpp"
#include "solvers/smooth/newton_solver.hpp"

namespace alo {

// A ridge problem with more columns than rows, reduced to its row space (Hastie and Tibshirani 2004). The
// solution has the form b_j = x_j'a / f_j on the penalised columns, with f_j their penalty weights (the
// representer theorem). So with K = sum_j x_j x_j' / f_j = U S^2 U' it is the ridge problem of the n x n
// matrix U S in coefficients c, where a = U S^-1 c. Predictions, penalty, curvature and held-out predictions
// are the same.
class RowSpace {
 public:
  explicit RowSpace(const Problem& problem);

  const Problem& reduced() const { return *reduced_; }
  // Coefficients of the problem (scale of the fit) from those of the reduced one, output after output.
  Vector expand(const Vector& coefficients) const;

 private:
  const Problem* problem_;
  std::vector<Index> free_;       // unpenalised columns, the first ones of the reduced problem
  std::vector<Index> penalized_;  // the others that are in the model
  Vector factors_;                // f_j of the penalised ones
  Matrix to_rows_;                // U S^-1
  std::unique_ptr<const Problem> reduced_;
};

// Newton's method on the reduced problem.
class RowSpaceSolver {
 public:
  RowSpaceSolver(const Problem& problem, const Vector& weights)
      : space_(std::make_unique<RowSpace>(problem)), solver_(space_->reduced(), weights) {}

  void solve(double lambda) { solver_.solve(lambda); }
  Vector coefficients() const { return space_->expand(solver_.coefficients()); }
  Vector intercept() const;
  Vector hat() { return solver_.hat(); }

 private:
  std::unique_ptr<const RowSpace> space_;
  NewtonSolver solver_;
};

}  // namespace alo
