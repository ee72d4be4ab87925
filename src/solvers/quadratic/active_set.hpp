// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/fit.hpp"
#include "linalg/cholesky_factor.hpp"

namespace alo {

// Minimises, exactly up to rounding, a quadratic loss with a separable penalty,
//
//     1/2 |sqrt(W) (t - 1 b0 - X b)|^2 + sum_j ( lambda a_j |b_j| + q_j b_j^2 / 2 ),
//
// q_j the square at lambda (SeparableTerms), on the scale of the fit, t the response less the offset. State
// between calls is the solution and the active set with its factor, so a path of falling lambda is cheap.
//
// On a fixed active set A with signs s the solution is that of a linear system,
// (X_A'W X_A + q) b_A = X_A'W t - lambda a s. A call repeats:
//   step   towards that solution, stopping where a coefficient would change sign; such
//          coefficients become exactly zero and leave (the objective has fallen);
//   enter  when the step was whole: columns with |x_j'W r| > lambda a_j join with the sign of
//          x_j'W r. None left: the optimality conditions hold.
// Every round lowers the objective, so no active set comes twice. This is the feature-sign
// search of Lee, Battle, Raina and Ng (2006), with several columns entering at once.
class ActiveSetSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  ActiveSetSolver(const Problem& problem, const VectorView& weights);

  // Begins at the pattern of given coefficients (scale of the fit).
  void start_from(const VectorView& coefficients);
  void start_from(const Fit& fit) { start_from(problem_.scale().cwiseProduct(fit.coefficients)); }
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  const Vector& coefficients() const { return coefficients_; }
  // On the design's own scale of centring: b0 + (X - 1 m')b.
  double intercept() const { return intercept_; }
  // h_i = w_i x_i'(X_A'W X_A + lambda q)^-1 x_i from the factor at hand; empty where another form is
  // cheaper or safer: more active columns than rows, or nearly dependent ones.
  Vector leverages() const;

 private:
  static constexpr Index intercept_column = -1;

  Index size() const { return static_cast<Index>(active_.size()); }
  // lambda a_j and q_j of the k-th active coordinate.
  double absolute(Index k) const;
  double square(Index k) const { return square_of(active_[static_cast<std::size_t>(k)]); }
  double square_of(Index column) const;
  double& value(Index k);

  Vector weighted_column(Index column) const;
  bool enter(Index column, double sign);
  void leave(Index k);
  void refactor();
  void refresh_residual();
  // x_j'W r for every column.
  Vector slopes() const;

  // Newton direction on the active set.
  Vector direction();
  // Steps until one is whole; true if any had positive length.
  bool settle();
  // Columns that break the optimality conditions enter; false when there are none.
  bool admit_violators(bool one_only);
  // `column` depends on the active ones: it takes the place of the first that reaches zero
  // when moved along the dependence, which changes no prediction and lowers the penalty.
  bool exchange(Index column, double sign);

  const Problem& problem_;
  Vector root_weights_;
  Vector target_;  // sqrt(w) (y - offset)
  SeparableTerms terms_;
  Vector norms_;  // of the weighted columns
  double lambda_ = 0.0;

  std::vector<Index> active_;    // columns, intercept_column for the intercept
  std::vector<double> signs_;    // of the active coordinates; 0 where unpenalised
  std::vector<char> is_active_;  // per column; true also for those left out for good
  Matrix block_;                 // weighted active columns, in the order of `active_`
  Matrix gram_;                  // their inner products
  CholeskyFactor factor_;        // of gram_ + q
  Vector coefficients_;
  double intercept_ = 0.0;
  Vector residual_;  // sqrt(w) (t - b0 - X b)
};

}  // namespace alo
