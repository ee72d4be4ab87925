// SPDX-License-Identifier: MIT
#include "alo/check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "risk/difference_estimate.hpp"
#include "risk/row_metric.hpp"

namespace alo {

namespace {

// The exact predictions that are known without a refit: given ones, those of repaired rows, and the
// approximation where it is proved to be exact. NaN elsewhere.
struct KnownRows {
  Vector predictor;                // output after output
  std::vector<Index> open, other;  // rows with positive weight that are not known, that are known
};

KnownRows known_rows(const Problem& problem, const RowValues& values) {
  const Index outputs = problem.outputs();
  KnownRows known{Vector::Constant(values.alo.size(), std::numeric_limits<double>::quiet_NaN()), {}, {}};
  auto predictor = by_output(known.predictor, outputs);
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool given = values.exact.size() > 0 && by_output(values.exact, outputs).row(i).allFinite();
    const bool proved = (row < values.certified.size() && values.certified[row].value_or(false)) ||
                        (row < values.flags.size() && values.flags[row] == RowFlag::repaired);
    if (given) predictor.row(i) = by_output(values.exact, outputs).row(i);
    if (!given && proved) predictor.row(i) = by_output(values.alo, outputs).row(i);
    if (problem.data().weights[i] > 0.0) (given || proved ? known.other : known.open).push_back(i);
  }
  return known;
}

// The rows of the sample: rows that are not known first; what is left of the count confirms proofs.
RowSample choose_rows(const RowTerms& terms, const KnownRows& known, Index count, std::uint64_t seed,
                      std::vector<Index>& confirmed) {
  const RowSample sample = sample_rows(terms, known.open, count, seed);
  const Index left = count - static_cast<Index>(known.open.size());
  if (left > 0) confirmed = sample_rows(terms, known.other, left, seed).all();
  return sample;
}

}  // namespace

std::string_view to_string(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::trusted:
      return "trusted";
    case CheckVerdict::undecided:
      return "undecided";
    case CheckVerdict::refuted:
      return "refuted";
  }
  return "";
}

std::optional<Check> check_rows(const Problem& problem, const Fit& fit, const RowValues& values,
                                Metric metric, Index count, std::uint64_t seed, const ExactOptions& options,
                                const Monitor& monitor) {
  const Dataset& data = problem.data();
  const Index outputs = problem.outputs();
  RowTerms terms = row_terms(problem, metric, values.fitted, values.alo);
  KnownRows known = known_rows(problem, values);
  std::vector<Index> refitted;  // beginning with those that confirm proofs
  const RowSample sample = choose_rows(terms, known, count, seed, refitted);
  Check check;
  check.lambda = fit.lambda;
  check.settled = static_cast<Index>(known.other.size() - refitted.size());
  std::ranges::copy(sample.all(), std::back_inserter(refitted));
  std::sort(refitted.begin(), refitted.end());
  check.rows = refitted;
  if (values.exact.size() > 0) {
    std::erase_if(refitted, [&](Index i) { return by_output(values.exact, outputs).row(i).allFinite(); });
  }
  if (!refitted.empty()) {
    const ExactLeaveOneOut refits =
        exact_leave_one_out(problem, std::span(&fit, 1), refitted, options, monitor);
    if (!refits.complete) return std::nullopt;
    by_output(known.predictor, outputs)(refitted, Eigen::all) =
        by_output(refits.values[0].linear_predictor, outputs)(refitted, Eigen::all);
  }
  const auto of_rows = [&](const Vector& predictor) -> Vector {
    return by_output(predictor, outputs)(check.rows, Eigen::all).reshaped();
  };
  check.alo = of_rows(values.alo);
  check.exact = of_rows(known.predictor);
  const Vector gaps = (check.alo - check.exact).cwiseAbs();
  check.mean_difference = gaps.mean();
  check.max_difference = gaps.maxCoeff();

  terms.exact = row_metric(metric, problem.loss(), known.predictor, data.response);
  const Vector exact_terms = terms.exact(check.rows);
  const Vector alo_terms = terms.alo(check.rows);
  if (!exact_terms.allFinite()) {
    check.verdict = CheckVerdict::refuted;
    return check;
  }
  const Vector weights = data.weights(check.rows);
  check.alo_risk.mean = weights.dot(alo_terms) / weights.sum();
  check.exact_risk.mean = weights.dot(exact_terms) / weights.sum();
  const bool counts = data.weight_kind == WeightKind::frequency || (data.weights.array() == 1.0).all();
  const DifferenceVerdict judged =
      judge_difference(terms, known.open, sample, mean_of_rows(terms.alo, data.weights, counts));
  check.corrected_risk = judged.estimate.mean;
  // No row's term is negative.
  check.interval_low = std::max(judged.estimate.mean - judged.estimate.half_width, 0.0);
  check.interval_high = judged.estimate.mean + judged.estimate.half_width;
  check.verdict = judged.verdict;
  check.deciding_rows = judged.deciding_rows;
  return check;
}

}  // namespace alo
