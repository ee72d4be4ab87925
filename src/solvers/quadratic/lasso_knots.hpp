// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "alo/monitor.hpp"
#include "linalg/pivot_tableau.hpp"
#include "solvers/affine_path.hpp"
#include "solvers/quadratic/carried_leverages.hpp"
#include "solvers/quadratic/lasso_walk.hpp"
#include "solvers/quadratic/scaled_columns.hpp"

namespace alo {

// The path of the squared loss with a lasso, or an elastic net whose ridge part does not depend on lambda, by
// homotopy: the path is piecewise affine, and every knot is visited as lambda falls (Osborne, Presnell and
// Turlach 2000; Efron, Hastie, Johnstone and Tibshirani 2004). It works on the pivot tableau of
// (Z'Z + D) / tau (ScaledColumns) with thresholds lambda / tau. While these fall by delta, the state moves by
// delta q, q = -T (sign)_A (LassoWalk).
//
// With many columns the tableau holds a working set. After a few lambdas the gradients of the other columns
// are computed there, and columns that come near their threshold join. If one is found beyond its threshold,
// the walk goes back to the first such lambda, gives the column its own threshold |gradient|, lowers that
// threshold alone to the common one, and comes down again. The result is exact.
class LassoKnots final : public AffinePath {
 public:
  struct Solution {
    Vector coefficients;  // on the scale of the fit
    double intercept = 0.0;
    // h_i = w_i x_i'(X_A'W X_A + D)^-1 x_i, free columns included; empty unless carried.
    Vector leverages;
  };

  // With `carry_leverages` every pivot also updates the leverages of the rows.
  LassoKnots(const Problem& problem, const VectorView& weights, bool carry_leverages = false);

  // Solutions at falling lambdas, fewer when the monitor says stop; cheapest when lambda also falls
  // from call to call.
  std::vector<Solution> solve(std::span<const double> lambdas, const Monitor& monitor = {});
  // Leverages must be carried.
  void visit_pieces(double lambda, const PieceVisitor& visitor) override;

 private:
  // The walk between two knots.
  struct Stretch {
    double threshold = 0.0;  // at its beginning
    double distance = 0.0;
    Vector state, rate;  // of the working set, zero off the active set
    std::size_t mark = 0;
  };
  // A lambda at which the walk stops and its solution is noted.
  struct Station {
    double threshold = 0.0;
    std::optional<std::size_t> wanted;  // number of the lambda; none: only to look
    Vector state;                       // coefficients of the working set, zero off the active set
    std::size_t mark = 0;
    std::vector<Stretch> way;  // that led here, where pieces are wanted
  };

  Index size() const { return walk_.size(); }
  bool is_whole() const { return size() == columns_->count(); }
  void restart();
  void join(std::span<const Index> candidates);
  void begin_with(std::span<const Index> candidates);
  void add_to_tableau(std::span<const Index> candidates, Matrix cross, const Matrix& own);

  void go_to(double threshold);  // walks all knots on the way
  void lower(double distance);
  void turn(double rate);
  void pivot(const LassoWalk::Knot& knot);
  bool exchange(Index k, double sign, const VectorView& u);

  std::vector<Station> plan(std::span<const double> thresholds, std::size_t done) const;
  bool walk_through(std::vector<Station>& stations, const Monitor& monitor);
  bool is_due() const;
  std::size_t look(std::span<const Station> stations, double previous, bool may_go_back,
                   std::vector<Solution>& solutions);
  std::size_t count_right(std::span<const Station> stations, const Matrix& gradients,
                          std::vector<Index>& late) const;
  void note(Station& station);
  double trace() const;
  void note_stretch(double distance);
  void show_pieces(std::span<const Station> stations, const std::vector<Vector>& leverages) const;
  Matrix gradients(const MatrixView& states, bool of_all) const;
  void refine(const VectorView& gradient);
  std::vector<Index> late_columns(const VectorView& gradient, double threshold) const;
  void bring_back(std::vector<Index> late);
  double ahead(double share) const;
  std::vector<Index> columns_ahead(double share) const;
  void join_ahead();

  std::shared_ptr<const ScaledColumns> columns_;
  Vector ridge_;
  std::vector<Index> working_;  // candidates, in tableau order
  std::vector<char> is_working_;
  Matrix copies_;  // of the working columns, side by side, where the design is small; its pages are used as
                   // they join
  PivotTableau tableau_;
  LassoWalk walk_;
  std::optional<CarriedLeverages> leverages_;
  double rate_ = 1.0;         // at which thresholds fall
  double current_ = 0.0;      // common threshold, at the last station
  double fallen_ = 0.0;       // fall of the threshold since then
  double first_ = 0.0;        // where the path begins
  Index pivots_ = 0;          // since the state was last compared with the data
  double compared_at_ = 0.0;  // threshold
  PieceVisitor visitor_;      // set while pieces are wanted
  std::vector<Stretch> way_;
  Vector gradient_;         // of every candidate, when last computed
  Vector gradient_before_;  // and at the station before, where the threshold was
  double threshold_before_ = 0.0;
};

}  // namespace alo
