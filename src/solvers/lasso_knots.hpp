// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"
#include "solvers/free_columns.hpp"
#include "solvers/pivot_tableau.hpp"

namespace alo {

// Squared loss with a lasso, solved by walking every knot of its piecewise affine path as
// lambda falls (the homotopy of Osborne, Presnell and Turlach 2000; LARS with drops of Efron et
// al. 2004) on a pivot tableau.
//
// On columns Z = sqrt(W) X / f, free columns projected out, in units of tau = mean |Z_j|^2, the
// state is z = (b on the active set A; gradient Z'r / tau off it), each coordinate with its
// threshold t_j = lambda / tau. While thresholds fall by delta, z moves to z + delta q with
// q = -T (rate sign)_A; the next knot is the first delta at which a coefficient reaches zero or
// a gradient its threshold.
//
// With many columns the tableau holds a working set that grows as columns are seen to come
// near their threshold. One that is found beyond it starts at its own threshold |gradient|,
// which the same walk then lowers alone to the common one: the result is exact.
class LassoKnots {
 public:
  // With `carry_leverages` every pivot also updates the leverages of the rows.
  LassoKnots(const Problem& problem, const VectorView& weights, bool carry_leverages = false);

  // Cheapest when lambda falls from call to call.
  void solve(double lambda);
  // On the scale of the fit.
  const Vector& coefficients() const { return coefficients_; }
  double intercept() const { return intercept_; }
  // h_i = w_i x_i'(X_A'W X_A)^-1 x_i, free columns included; empty unless carried.
  const Vector& leverages() const { return leverages_; }

 private:
  // Why a column may not enter now.
  enum class Bar : char {
    none,
    depends,  // on the active columns, until one of them leaves
    waits,    // beyond its threshold, for its turn to be brought back
  };
  struct Knot {
    double distance = 0.0;  // by which thresholds fall until then
    Index at = -1;
    double sign = 0.0;  // of a gradient that reaches its threshold; 0: a coefficient reaches zero
  };

  Index size() const { return static_cast<Index>(columns_.size()); }
  void restart();
  void join(const std::vector<Index>& candidates);
  Eigen::Map<const Matrix> block() const;

  void set_rates(Index only);  // which thresholds fall: one, or all with -1
  Knot next_knot() const;
  void advance(double distance);
  void pivot(const Knot& knot);
  bool exchange(Index k, double sign, const Vector& u);
  void lower(double distance);  // walks all knots on the way

  void note_leverage_change(Index k, const Vector& u, bool enters);
  void apply_leverage_changes();
  void rebuild_leverages();

  void step_to(double threshold);
  void update_gradient();  // of every candidate, from the residual
  void refine();
  bool admit_violators();
  void join_ahead();

  const Problem& problem_;
  FreeColumns free_;
  Vector root_weights_;
  Vector raw_target_;         // sqrt(w) (y - offset)
  Vector target_;             // the same off the free columns
  Vector factors_;            // f of the candidates (penalised columns)
  double unit_ = 1.0;         // tau
  bool uses_design_ = false;  // all columns as they are stored: no copy is made

  std::vector<Index> columns_;        // candidates in the working set, in tableau order
  std::vector<char> in_working_set_;  // per candidate
  Matrix block_;                      // their Z
  PivotTableau tableau_;
  Vector state_, rate_, threshold_, falling_;  // z, q, t and the rates at which t falls
  std::vector<double> signs_;                  // of active coordinates
  std::vector<char> is_active_;
  std::vector<Bar> bars_;
  bool brings_back_one_ = false;  // only one threshold falls

  // A pivot at k adds (Z a)^2 / (d tau) to the leverages, a = -T_Ak on the active set and one
  // at an entering k: the direction that the fit gains or (d < 0) loses. The vectors
  // a / sqrt(|d| tau) wait here for one matrix product.
  bool carry_leverages_;
  Vector leverages_;
  Matrix waiting_;
  std::vector<double> waiting_signs_;

  double current_ = 0.0;                 // common threshold
  double first_ = 0.0;                   // where the path begins
  double previous_ = 0.0;                // the one before, for looking ahead
  Vector gradient_, previous_gradient_;  // of every candidate at those thresholds
  Vector coefficients_;
  double intercept_ = 0.0;
};

}  // namespace alo
