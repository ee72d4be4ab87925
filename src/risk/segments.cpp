// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "alo/error.hpp"
#include "alo/path.hpp"
#include "alo/select.hpp"
#include "solvers/method.hpp"

namespace alo {

namespace {

// Between two knots held-out residuals are affine in lambda:
//     e_i(lambda) = (residual_i + (lambda - at) slope_i) / (1 - r_i h_i).
struct AffineSegment {
  double upper = 0.0;  // both ends are just inside the knots
  double lower = 0.0;
  Vector residual;  // held-out residuals at `upper`
  Vector slope;     // their derivatives

  Vector held_out(double lambda) const { return residual + (lambda - upper) * slope; }
};

// The minimiser of sum_i w_i e_i^2: the vertex of a parabola, or an end of the segment.
double minimize_squares(const AffineSegment& segment, const Vector& weights) {
  const double curvature = weights.dot(segment.slope.cwiseAbs2());
  if (curvature == 0.0) return segment.upper;
  const double step = -weights.dot(segment.slope.cwiseProduct(segment.residual)) / curvature;
  return std::clamp(segment.upper + step, segment.lower, segment.upper);
}

// The minimiser of sum_i w_i |e_i|: the median of its breakpoints with weights w_i |slope_i|.
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

// The risk on the pieces of a path between knots.
class RiskOnSegments {
 public:
  RiskOnSegments(const Problem& problem, Metric metric)
      : problem_(problem), metric_(metric), share_(problem.removed_share()), start_(lambda_start(problem)) {}

  // None when the prediction of a row is undefined on the piece, or when the piece is shorter than
  // rounding.
  std::optional<AffineSegment> segment(const AffinePiece& piece) const;
  // The lambda of the smallest risk on the segment, and the risk at a lambda of the segment.
  double minimizer(const AffineSegment& segment) const {
    const Vector& weights = problem_.data().weights;
    return metric_ == Metric::mae ? minimize_absolutes(segment, weights) : minimize_squares(segment, weights);
  }
  Estimate risk(const AffineSegment& segment, double lambda) const {
    const LeaveOneOut held_out{problem_.data().response - segment.held_out(lambda), {}, {}, {}};
    return estimate_risk(problem_, metric_, held_out);
  }
  // The largest lambda of the segment, at or above its minimiser, whose risk is within the bound; the risk
  // is convex there.
  double largest_within(const AffineSegment& segment, double sign, double bound) const;

 private:
  const Problem& problem_;
  Metric metric_;
  Vector share_;
  double start_;  // where the path begins
};

// The risk jumps at a knot, so that a segment ends this share of lambda inside its knots. The share is far
// above the rounding of a knot (about 1e-14) and moves the risk by less than the printed digits. At ten
// times the value short segments between near knots would begin to be skipped.
constexpr double inside = 1e-10;

std::optional<AffineSegment> RiskOnSegments::segment(const AffinePiece& piece) const {
  const bool is_point = piece.upper == piece.lower;  // the null model, at which the path begins
  const double upper = is_point ? start_ : piece.upper * (1.0 - inside);
  const double lower = is_point ? start_ : piece.lower * (1.0 + inside);
  if (upper < lower) return std::nullopt;
  const Vector kept = 1.0 - share_.cwiseProduct(piece.leverages).array();
  for (Index i = 0; i < kept.size(); ++i) {
    if (kept[i] < leverage_tolerance && problem_.data().weights[i] > 0.0) return std::nullopt;
  }
  const Vector residual = piece.residual + (is_point ? 0.0 : upper - piece.upper) * piece.slope;
  return AffineSegment{upper, lower, residual.cwiseQuotient(kept), piece.slope.cwiseQuotient(kept)};
}

double RiskOnSegments::largest_within(const AffineSegment& segment, double sign, double bound) const {
  const auto within = [&](double lambda) { return sign * *risk(segment, lambda).mean <= bound; };
  double low = minimizer(segment);
  double high = segment.upper;
  if (within(high)) return high;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    (within(middle) ? low : high) = middle;
  }
  return low;
}

std::unique_ptr<AffinePath> affine_path(const Problem& problem) {
  std::unique_ptr<AffinePath> path = route(problem).affine_path(problem);
  if (!path) {
    throw InvalidArgument(
        "an exact search needs a path that is affine in lambda between knots: squared loss with a lasso, or "
        "an elastic net with a fixed ridge part; use the grid search with other models",
        {{Setting::ridge}});
  }
  return path;
}

}  // namespace

std::optional<Choices> choose_on_segments(const Problem& problem, Metric metric, double lambda_min) {
  const std::unique_ptr<AffinePath> path = affine_path(problem);
  const double sign = larger_is_better(metric) ? -1.0 : 1.0;
  const RiskOnSegments risk(problem, metric);

  std::optional<Choice> best;
  path->visit_pieces(lambda_min, [&](const AffinePiece& piece) {
    const auto segment = risk.segment(piece);
    if (!segment) return;
    const double minimizer = risk.minimizer(*segment);
    const Estimate least = risk.risk(*segment, minimizer);
    if (least.mean && (!best || sign * *least.mean < sign * *best->risk.mean)) {
      best = Choice{minimizer, std::nullopt, least};
    }
  });
  if (!best) return std::nullopt;

  // Walks down the path again, to the first lambda within the bound.
  const double bound = sign * *best->risk.mean + best->risk.se.value_or(0.0);
  std::optional<Choice> simplest;
  path->visit_pieces(best->lambda, [&](const AffinePiece& piece) {
    const auto segment = simplest ? std::nullopt : risk.segment(piece);
    if (!segment) return;
    const Estimate least = risk.risk(*segment, risk.minimizer(*segment));
    if (!least.mean || sign * *least.mean > bound) return;
    const double lambda = risk.largest_within(*segment, sign, bound);
    simplest = Choice{lambda, std::nullopt, risk.risk(*segment, lambda)};
  });
  return Choices{*best, simplest && simplest->lambda >= best->lambda ? *simplest : *best};
}

}  // namespace alo
