// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "alo/check.hpp"
#include "alo/metric.hpp"
#include "alo/problem.hpp"
#include "alo/risk.hpp"

namespace alo {

// The terms of a mean over rows, of which the approximation is known for every row and the exact value for
// some. Rows of weight zero do not count.
struct RowTerms {
  Vector weights;
  Vector alo;    // the metric at the approximate prediction
  Vector exact;  // the metric at the exact prediction; NaN where that is not known
  // How far exact may be from alo: the largest change of the metric when the held-out predictor lies anywhere
  // between the fitted one and twice as far from it as the approximation, |L(eta~ +- (eta~ - eta)) -
  // L(eta~)|, or in a signal in the range of its neighbours (signal_ranges), which a row beside a jump comes
  // to when the jump moves. On eleven paths of 286 lambdas (lasso, fused lasso, logistic lasso, hinge,
  // absolute loss; n = 62 to 1000) |exact - alo| exceeded it in 1.7 % of the rows, by 2 % of the sum of
  // |exact - alo| over all rows. Infinite where there is no approximation.
  Vector reach;
};

// `fitted` and `alo` are the predictors of all rows, output after output; the exact terms are all NaN.
RowTerms row_terms(const Problem& problem, Metric metric, const Vector& fitted, const Vector& alo);
// The metric at some rows' predictors, output after output.
Vector terms_of_rows(const Problem& problem, Metric metric, const Vector& predictor,
                     const std::vector<Index>& rows);

// Rows whose exact values are to be computed: half of them (rounded down) the candidates with the largest
// w * reach, taken with certainty; the others drawn at random from what is left. Sampling everything at
// random would miss the few rows that carry the difference; taking the largest alone would say nothing of the
// others.
struct RowSample {
  std::vector<Index> certain, drawn;  // ascending

  std::vector<Index> all() const;  // ascending
};
// `count` of the candidates with positive weight (all of them are certain if there are no more).
RowSample sample_rows(const RowTerms& terms, const std::vector<Index>& candidates, Index count,
                      std::uint64_t seed);

// The difference estimator with strata (Cochran, Sampling Techniques, 1977, chapters 5 and 7): the settled
// rows, whose exact terms are known and were not drawn at random, stand for themselves; the drawn rows stand
// for themselves and for all others,
//
//   mean = [ sum_settled w exact + sum_others w alo + N_others * mean_drawn w (exact - alo) ] / sum w.
//
// The half width of its 95 % interval is t * se + K-largest. The first part is Student's, with the finite
// population correction. It is too short when few rows carry the difference and the sample has none of them.
// So the second part grants the rows of a kind that the sample has not seen what they could add: if more than
// K of N_others were such, a sample of m would have had one with probability above 95 %, K = (N_others - (m -
// 1)/2) (1 - 0.05^(1/m)) (about 3 N_others/m), and each adds at most its reach, or as much as the drawn row
// that lies farthest beyond its own.
struct DifferenceEstimate {
  double mean = std::numeric_limits<double>::quiet_NaN();  // NaN where a drawn row has no exact value
  double se = 0;                                           // of the sampling; zero when no row is unseen
  double half_width = 0;  // infinite when rows are unseen and fewer than two were drawn
  Index settled = 0, drawn = 0, unseen = 0;
};
DifferenceEstimate difference_estimate(const RowTerms& terms, const std::vector<Index>& drawn);

// How many of the `candidates` sample_rows would have to take so that the half width of the interval is below
// `distance`, if the differences of the rows to come were, relative to their reach, as those of `sample` are.
Index rows_for_half_width(const RowTerms& terms, const std::vector<Index>& candidates,
                          const RowSample& sample, double distance);

// Whether the approximate risk (with its standard error) is right, by the difference estimator. `candidates`
// are the rows that the sample was taken from.
struct DifferenceVerdict {
  DifferenceEstimate estimate;
  CheckVerdict verdict = CheckVerdict::undecided;
  std::optional<Index> deciding_rows;  // where undecided: about how large a sample would decide
};
DifferenceVerdict judge_difference(const RowTerms& terms, const std::vector<Index>& candidates,
                                   const RowSample& sample, const Estimate& approximate);

// The 97.5 % quantile of Student's t with this many degrees of freedom (at least one).
double student_quantile(Index degrees_of_freedom);

}  // namespace alo
