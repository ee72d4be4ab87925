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
// on the scale of the fit, where q_j is the factor of the square at lambda (SeparableTerms) and t the
// response less the offset. Solution, active set and factor are kept between calls, so a path of falling
// lambda is cheap.
//
// On a fixed active set A with signs s the solution is that of a linear system,
// (X_A'W X_A + q) b_A = X_A'W t - lambda a s. A call repeats:
//   step   Move towards that solution, to where the first coefficient would change sign. Such a coefficient
//          is set to exactly zero and leaves; the objective has fallen.
//   enter  After a whole step, columns with |x_j'W r| > lambda a_j enter with the sign of x_j'W r. Where
//   there
//          are none, the optimality conditions hold.
// Every round lowers the objective, so no active set with its signs comes twice. This is the feature-sign
// search of Lee, Battle, Raina and Ng (2006), with several columns entering at once.
//
// NewtonSolver minimises the same objective in 0.5 to 1.4 times the time along a path, longest for the
// elastic net with many columns, and in 0.4 to 1.7 times the time for a refit, longest with many rows, but it
// ends at optimality conditions of 1e-12 and has leverages to 1e-7. Both exist because a quadratic loss has
// both to rounding, 1e-15, from the one linear system, and exact leave-one-out is compared with them.
class ActiveSetSolver {
 public:
  // `weights` stand in for the problem's own (a row left out).
  ActiveSetSolver(const Problem& problem, const VectorView& weights);

  // Starts from given coefficients and their pattern (scale of the fit).
  void start_from(const VectorView& coefficients);
  void start_from(const Fit& fit) { start_from(problem_.scale().cwiseProduct(fit.coefficients)); }
  // Solves at lambda; the solution is kept for the next call.
  void solve(double lambda);

  // The solution on the scale of the fit.
  const Vector& coefficients() const { return coefficients_; }
  // The intercept b0 of the centred design, b0 + (X - 1 m')b.
  double intercept() const { return intercept_; }
  // h_i = w_i x_i'(X_A'W X_A + q)^-1 x_i from the present factor. Empty where another form is cheaper (more
  // active columns than rows) or more accurate (nearly dependent columns).
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
  bool minimize_on_signs();
  // Lets columns that violate the optimality conditions enter; false when there are none.
  bool admit_violators(bool one_only);
  // Exchanges `column`, which depends on the active ones, for one of them: the coefficients move along the
  // dependence, which changes no prediction and lowers the penalty, until the first one reaches zero.
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
