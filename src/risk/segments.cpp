// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "alo/error.hpp"
#include "alo/path.hpp"
#include "alo/select.hpp"
#include "solvers/active_set.hpp"

namespace alo {

namespace {

// Between two knots held-out residuals are affine in lambda:
//     e_i(lambda) = (residual_i + (lambda - at) slope_i) / (1 - r_i h_i).
struct AffineSegment {
  double upper = 0.0;  // just inside the knot above, where the fit was made
  double lower = 0.0;  // the knot below, or the end of the search
  Vector residual;     // held-out residuals at `upper`
  Vector slope;        // their derivatives

  Vector held_out(double lambda) const { return residual + (lambda - upper) * slope; }
};

// Where sum_i w_i e_i^2 is least: the vertex of a parabola, or an end of the segment.
double minimize_squares(const AffineSegment& segment, const Vector& weights) {
  const double curvature = weights.dot(segment.slope.cwiseAbs2());
  if (curvature == 0.0) return segment.upper;
  const double step = -weights.dot(segment.slope.cwiseProduct(segment.residual)) / curvature;
  return std::clamp(segment.upper + step, segment.lower, segment.upper);
}

// Where sum_i w_i |e_i| is least: the median of its breakpoints weighted by w_i |slope_i|.
double minimize_absolutes(const AffineSegment& segment, const Vector& weights) {
  std::vector<std::pair<double, double>> breaks;  // (lambda, weight)
  double total = 0.0;
  for (Index i = 0; i < weights.size(); ++i) {
    const double weight = weights[i] * std::abs(segment.slope[i]);
    if (weight == 0.0) continue;
    breaks.emplace_back(segment.upper - segment.residual[i] / segment.slope[i], weight);
    total += weight;
  }
  if (breaks.empty()) return segment.upper;
  std::sort(breaks.begin(), breaks.end());
  double below = 0.0;
  std::size_t k = 0;
  while (k + 1 < breaks.size() && below + breaks[k].second < 0.5 * total) below += breaks[k++].second;
  return std::clamp(breaks[k].first, segment.lower, segment.upper);
}

class SegmentWalk {
 public:
  SegmentWalk(const Problem& problem, Metric metric, double lambda_min)
      : problem_(problem),
        metric_(metric),
        lambda_min_(lambda_min),
        solver_(problem, problem.data().weights) {}

  // The segment whose interior holds lambda; none when a row's prediction is undefined on it.
  std::optional<AffineSegment> at(double lambda);
  // Lower end of the segment looked at last.
  double lower() const { return lower_; }
  // Lambda of the least risk on the segment, and risk at a lambda of it.
  double minimizer(const AffineSegment& segment) const {
    const Vector& weights = problem_.data().weights;
    return metric_ == Metric::mae ? minimize_absolutes(segment, weights) : minimize_squares(segment, weights);
  }
  Estimate risk(const AffineSegment& segment, double lambda) const {
    const LeaveOneOut held_out{problem_.data().response - segment.held_out(lambda), Vector(), {}};
    return estimate_risk(problem_, metric_, held_out);
  }

 private:
  const Problem& problem_;
  Metric metric_;
  double lambda_min_;
  double lower_ = 0.0;
  ActiveSetSolver solver_;
};

std::optional<AffineSegment> SegmentWalk::at(double lambda) {
  solver_.solve(lambda);
  const ActiveSetSolver::Segment piece = solver_.segment();
  lower_ = std::max(piece.lower, lambda_min_);

  Fit fit;
  fit.lambda = lambda;
  fit.coefficients = solver_.coefficients().cwiseQuotient(problem_.scale());
  const Vector centred = problem_.design().multiply(solver_.coefficients());
  fit.linear_predictor = (problem_.data().offset + centred).array() + solver_.intercept();
  const LeaveOneOut held_out = approximate_leave_one_out(problem_, fit);
  if (held_out.undefined() > 0) return std::nullopt;

  const Vector kept = 1.0 - problem_.removed_share().cwiseProduct(held_out.leverage).array();
  AffineSegment segment;
  segment.upper = lambda;
  segment.lower = lower_;
  segment.residual = (problem_.data().response - fit.linear_predictor).cwiseQuotient(kept);
  const Vector change = problem_.design().multiply(piece.slope).array() + piece.intercept_slope;
  segment.slope = -change.cwiseQuotient(kept);
  return segment;
}

// A knot belongs to the segment below it only by its limit: step past it by this share.
constexpr double inside = 1e-10;

struct Summary {
  double upper;
  double minimizer;
  Estimate least;
};

// The largest lambda at or above the minimizer of a convex segment whose risk is within the bound.
double largest_within(const SegmentWalk& walk, const AffineSegment& segment, double sign, double bound) {
  const auto within = [&](double lambda) { return sign * *walk.risk(segment, lambda).mean <= bound; };
  double low = walk.minimizer(segment);
  double high = segment.upper;
  if (within(high)) return high;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    (within(middle) ? low : high) = middle;
  }
  return low;
}

void check_affine(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  const bool affine = problem.loss().is_quadratic() && terms && (terms->absolute.array() > 0.0).any() &&
                      (terms->square.array() == 0.0).all();
  if (!affine) {
    throw InvalidArgument(
        "an exact search needs a path that is affine in lambda between knots: squared loss with a lasso; use "
        "the grid search with other models");
  }
}

}  // namespace

std::optional<Choices> choose_on_segments(const Problem& problem, Metric metric, double lambda_min) {
  check_affine(problem);
  const double sign = larger_is_better(metric) ? -1.0 : 1.0;
  const double start = lambda_start(problem);
  SegmentWalk walk(problem, metric, lambda_min);
  std::vector<Summary> segments;
  std::optional<std::size_t> best;
  for (double lambda = start; lambda > lambda_min;) {
    if (const auto segment = walk.at(lambda)) {
      // An infimum at the knot below is a limit: report it just inside.
      const double end = segment->lower + inside * (segment->upper - segment->lower);
      const double minimizer = std::max(walk.minimizer(*segment), end);
      segments.push_back({lambda, minimizer, walk.risk(*segment, minimizer)});
      const Estimate& least = segments.back().least;
      if (least.mean && (!best || sign * *least.mean < sign * *segments[*best].least.mean)) {
        best = segments.size() - 1;
      }
    }
    lambda = std::min(walk.lower(), lambda) * (1.0 - inside);
  }
  if (!best) return std::nullopt;

  const Summary& least = segments[*best];
  const double bound = sign * *least.least.mean + least.least.se.value_or(0.0);
  Choices choices{{least.minimizer, std::nullopt, least.least}, {least.minimizer, std::nullopt, least.least}};
  const auto simplest = std::find_if(segments.begin(), segments.end(), [&](const Summary& summary) {
    return summary.least.mean && sign * *summary.least.mean <= bound;
  });
  SegmentWalk again(problem, metric, lambda_min);
  if (const auto segment = again.at(simplest->upper)) {
    const double lambda = std::max(largest_within(again, *segment, sign, bound), least.minimizer);
    if (lambda <= simplest->upper) choices.one_se = {lambda, std::nullopt, again.risk(*segment, lambda)};
  }
  return choices;
}

}  // namespace alo
