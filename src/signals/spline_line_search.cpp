// SPDX-License-Identifier: MIT
#include "signals/spline_line_search.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

// A step is whole if the minimum along it is at its end, at length one, up to this share. If no difference
// changes its sign, only rounding moves the minimum away from one: some epsilon of the sums that make slope
// and curvature, and what separate regions neglect of each other. A step that is not whole costs a further
// round. At a tenth rounding costs such rounds; at ten times a step that ends 1e-8 short counts as whole,
// which the final refinement corrects.
constexpr double whole_tolerance = 1e-9;

// A region of the signal in which the B-splines first ... last move.
struct Region {
  Index first;
  Index last;
  Index size() const { return last - first + 1; }
};

// The length at which a difference changes its sign, and the jump of the objective's derivative there.
struct Kink {
  double at;
  std::size_t knot;
  double jump;
};

std::vector<Region> regions_of(const Vector& step, double small, Index order) {
  const double least = small * step.lpNorm<Eigen::Infinity>();
  std::vector<Region> regions;
  for (Index j = 0; j < step.size(); ++j) {
    if (std::abs(step[j]) <= least) continue;
    if (!regions.empty() && j - regions.back().last <= order) {
      regions.back().last = j;
    } else {
      regions.push_back({j, j});
    }
  }
  return regions;
}

class RegionSearch {
 public:
  RegionSearch(const SplineDirection& direction, double lambda, Vector step, ActiveKnots& knots,
               std::vector<char>& ended)
      : direction_(direction),
        lambda_(lambda),
        step_(std::move(step)),
        image_(direction.system.multiply(step_)),
        knots_(knots),
        ended_(ended) {}

  // Moves the differences of a region alone, and returns the length, as a share of the step.
  double move(const Region& region, bool& whole) {
    const double length = length_of(region, whole);
    for (Index k = first_knot(region); k <= last_knot(region); ++k) {
      knots_[static_cast<std::size_t>(k)].value += length * change(k);
    }
    return length;
  }

 private:
  double length_of(const Region& region, bool& whole) {
    const auto step = step_.segment(region.first, region.size());
    double slope = -step.dot(direction_.slope.segment(region.first, region.size()));
    const double curvature = step.dot(image_.segment(region.first, region.size()));
    double at = 0.0;
    bool turned = false;
    for (const Kink& kink : kinks_of(region)) {
      const double there = slope + (kink.at - at) * curvature;
      if (there >= 0.0) break;
      turned = true;
      at = kink.at;
      slope = there + kink.jump;
      if (slope >= 0.0) {
        ended_[kink.knot] = 1;
        whole = false;
        return at;
      }
      knots_[kink.knot].sign = -knots_[kink.knot].sign;
    }
    const double end = curvature > 0.0 ? at - slope / curvature : 1.0;
    if (!turned && end >= 1.0 - whole_tolerance) return 1.0;
    whole = false;
    return std::min(1.0, end);
  }

  std::vector<Kink> kinks_of(const Region& region) const {
    std::vector<Kink> kinks;
    for (Index k = first_knot(region); k <= last_knot(region); ++k) {
      const ActiveKnot& knot = knots_[static_cast<std::size_t>(k)];
      const double by = change(k);
      if (knot.sign * by >= 0.0) continue;
      const double at = std::max(0.0, -knot.value / by);
      if (at < 1.0) kinks.push_back({at, static_cast<std::size_t>(k), 2.0 * lambda_ * std::abs(by)});
    }
    std::ranges::sort(kinks, {}, &Kink::at);
    return kinks;
  }

  Index order() const { return direction_.parts.rows() - 1; }
  Index first_knot(const Region& region) const { return std::max<Index>(0, region.first - order()); }
  Index last_knot(const Region& region) const { return std::min(region.last, direction_.parts.cols() - 1); }
  double change(Index k) const { return direction_.parts.col(k).dot(step_.segment(k, order() + 1)); }

  const SplineDirection& direction_;
  double lambda_;
  Vector step_;
  Vector image_;  // G step
  ActiveKnots& knots_;
  std::vector<char>& ended_;
};

}  // namespace

SplineMove move_by_regions(ActiveKnots knots, const SplineDirection& direction, double lambda, double small) {
  const std::vector<Region> regions = regions_of(direction.step, small, direction.parts.rows() - 1);
  Vector taken = Vector::Zero(direction.step.size());
  for (const Region& region : regions) {
    taken.segment(region.first, region.size()) = direction.step.segment(region.first, region.size());
  }
  std::vector<char> ended(knots.size(), 0);
  RegionSearch search(direction, lambda, taken, knots, ended);
  bool whole = taken == direction.step;
  for (const Region& region : regions)
    taken.segment(region.first, region.size()) *= search.move(region, whole);
  drop_knots(knots, ended);
  return {std::move(knots), std::move(taken), whole};
}

}  // namespace alo
