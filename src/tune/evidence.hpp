// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "alo/tune.hpp"
#include "risk/difference_estimate.hpp"

namespace alo {

// What is known of the held-out predictions at one lambda.
struct KnownRows {
  LeaveOneOut formula;        // approximate leave-one-out
  LeaveOneOut best;           // the same, exact in the rows that are settled
  std::vector<bool> settled;  // rows whose prediction in `best` is exact
  Index count = 0;            // of settled rows
  bool proofs = false;        // proofs that the formula is exact in a row were looked for
};

// The rows with positive weight that are not settled.
std::vector<Index> open_rows(const Problem& problem, const KnownRows& rows);

// True where approximate leave-one-out equals exact leave-one-out in every row that it can predict: the
// objective is quadratic, so that the Newton step of the formula leads to the fit without the row.
bool formula_is_exact(const Problem& problem);

// What the risk looks like where rows have no prediction: its mean over the rows that have one, with the sign
// that makes smaller better. Minus infinity where that says nothing.
double defined_mean(const Problem& problem, Metric metric, const LeaveOneOut& held_out);

// What is known of the exact leave-one-out risk along a path, and the ways to know more. Each way computes
// exact predictions of some rows at some lambdas and improves the estimates of all metrics there
// (RiskCurve::estimate, RiskCurve::exact). Work is counted in operations (Method::exact_flops) against what
// is allowed, so that results do not depend on the machine.
class ExactEvidence {
 public:
  // Starts from the path and the approximate curves of the result, which it adds estimates to. `looks` has
  // for every lambda what looks() says of the formula alone. The other arguments must outlive this object.
  ExactEvidence(const Problem& problem, const TuneOptions& options, const Monitor& monitor,
                TuneResult& result, std::vector<double> looks);

  Index size() const { return static_cast<Index>(result_.path.size()); }
  // The estimate of the metric that chooses.
  const BestEstimate& at(Index k) const { return result_.risk.front().estimate[index(k)]; }
  bool is_exact(Index k) const { return at(k).kind == EstimateKind::exact; }
  // True where the exact risk was computed and not only known.
  bool has_refits(Index k) const;
  // True where the formula may be far off: some row has no prediction, or a leverage near one, or the loss
  // has kinks, so that the formula depends on few pinned rows.
  bool is_doubtful(Index k) const;
  // What the risk looks like, smaller being better: the estimate, or where rows have no prediction the mean
  // over those that have one. Infinite where nothing is known.
  double looks(Index k) const { return looks_[index(k)]; }

  // Operations of exact leave-one-out: of that many rows at one lambda, of all that are not settled there,
  // and of all that are not settled anywhere.
  double flops(Index k, Index rows) const;
  double flops(Index k) const;
  double all_flops() const;
  // Of all rows at one lambda, settled or not.
  double all_rows_flops(Index k) const { return flops(k, problem_.rows()); }
  // Of a first sample at one lambda, and of the smallest one.
  double sample_flops(Index k) const;
  double smallest_sample_flops(Index k) const;
  double path_flops() const { return path_flops_; }
  double spent() const { return spent_; }
  double left() const { return std::max(0.0, allowed_ - spent_); }
  bool affords(double flops) const { return spent_ + flops <= allowed_; }

  // Each of these returns false where the work is not allowed or was stopped by the monitor. Exact
  // leave-one-out of all rows at one lambda, or at all of them, there also without regard to the effort.
  bool settle(Index k);
  bool settle_all(bool within_effort);
  // Settles the rows where the formula is in doubt: those that it cannot predict, whose leverage is high, or
  // that it moves farthest. The estimate is then `repaired`.
  bool repair(Index k);
  // The same without those that it moves farthest, for no more than `work` operations.
  bool repair_leverages(Index k, double work);
  // Settles a random sample of the others too, and more of them until the error is tolerable, or `work`
  // operations are spent. Rows without an approximation come first. The estimate is then `sampled`.
  bool sample(Index k, double work);
  // Estimates the risk between lambdas with exact values, by interpolation in log lambda: of the ratio of
  // exact to approximate risk, or of the exact risk itself where the formula is in doubt. The estimates are
  // then `corrected`.
  void interpolate();

  // The same at a fit between the lambdas of the path, for a choice there.
  KnownRows start_at(const Fit& fit) const;
  bool settle(const Fit& fit, KnownRows& rows);
  // What is known at a lambda of the path.
  KnownRows& rows(Index k);

  // Takes up lambdas that were added to the path.
  void grow(std::vector<double> looks);

  // True once the monitor stopped some work.
  bool stopped() const { return stopped_; }

 private:
  static std::size_t index(Index k) { return static_cast<std::size_t>(k); }
  Fit fit_at(Index k) const;
  bool compute(const Fit& fit, const std::vector<Index>& wanted, KnownRows& rows);
  void take(const std::vector<Index>& settled, const LeaveOneOut& exact, KnownRows& rows) const;
  bool settle_doubtful(Index k, double share_of_far, double work);
  bool settle_undefined(Index k, double work);
  void settle_proved(Index k, double work);
  void update(Index k, EstimateKind kind);
  void note_exact(RiskCurve& curve, Index k, const Estimate& risk);
  void look(Index k, const LeaveOneOut& values);
  void correct(Index k, Index above, Index below);
  void fill_exact(Metric metric, const KnownRows& rows, RowTerms& terms) const;
  const BestEstimate& note_sample(Index k, const Fit& fit, const RowSample& drawn);

  const Problem& problem_;
  const TuneOptions& options_;
  const Monitor& monitor_;
  TuneResult& result_;
  bool formula_is_exact_;
  double path_flops_ = 0.0;
  double allowed_ = 0.0;
  double spent_ = 0.0;
  bool stopped_ = false;
  std::vector<double> looks_;
  std::map<Index, KnownRows> rows_;
  std::map<Index, LeaveOneOut> exact_;  // of settle_all, until rows() asks for them
};

}  // namespace alo
