// SPDX-License-Identifier: MIT
#include "signals/spline_line_search.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

constexpr double whole_tolerance = 1e-9;

// B-splines first ... last move.
struct Region {
  Index first;
  Index last;
};

// Where a difference changes its sign, and what that adds to the derivative of the objective.
struct Kink {
  double at;
  std::size_t node;
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
  RegionSearch(SplineNodes& nodes, const SplineWay& way, Vector step, double lambda, std::vector<char>& ended)
      : nodes_(nodes),
        way_(way),
        step_(std::move(step)),
        image_(way.system.multiply(step_)),
        lambda_(lambda),
        ended_(ended) {}

  // How far a region goes.
  double length(const Region& region, bool& whole) {
    const Index size = region.last - region.first + 1;
    const auto step = step_.segment(region.first, size);
    double slope = -step.dot(way_.slope.segment(region.first, size));
    const double curvature = step.dot(image_.segment(region.first, size));
    double at = 0.0;
    bool turned = false;
    for (const Kink& kink : kinks_of(region)) {
      const double there = slope + (kink.at - at) * curvature;
      if (there >= 0.0) break;
      turned = true;
      at = kink.at;
      slope = there + kink.jump;
      if (slope >= 0.0) {
        ended_[kink.node] = 1;
        whole = false;
        return at;
      }
      nodes_[kink.node].sign = -nodes_[kink.node].sign;
    }
    const double end = curvature > 0.0 ? at - slope / curvature : 1.0;
    if (!turned && end >= 1.0 - whole_tolerance) return 1.0;
    whole = false;
    return std::min(1.0, end);
  }

  // Of the differences that move with a region, and no other.
  void move(const Region& region, double length) {
    for (Index k = first_node(region); k <= last_node(region); ++k) {
      nodes_[static_cast<std::size_t>(k)].value += length * change(k);
    }
  }

 private:
  Index order() const { return way_.parts.rows() - 1; }
  Index first_node(const Region& region) const { return std::max<Index>(0, region.first - order()); }
  Index last_node(const Region& region) const { return std::min(region.last, way_.parts.cols() - 1); }
  double change(Index k) const { return way_.parts.col(k).dot(step_.segment(k, order() + 1)); }

  std::vector<Kink> kinks_of(const Region& region) const {
    std::vector<Kink> kinks;
    for (Index k = first_node(region); k <= last_node(region); ++k) {
      const SplineNode& node = nodes_[static_cast<std::size_t>(k)];
      const double by = change(k);
      if (node.sign * by >= 0.0) continue;
      const double at = std::max(0.0, -node.value / by);
      if (at < 1.0) kinks.push_back({at, static_cast<std::size_t>(k), 2.0 * lambda_ * std::abs(by)});
    }
    std::ranges::sort(kinks, {}, &Kink::at);
    return kinks;
  }

  SplineNodes& nodes_;
  const SplineWay& way_;
  Vector step_;
  Vector image_;
  double lambda_;
  std::vector<char>& ended_;
};

}  // namespace

bool move_by_regions(SplineNodes& nodes, const SplineWay& way, double lambda, double small, Vector& taken,
                     std::vector<char>& ended) {
  const std::vector<Region> regions = regions_of(way.step, small, way.parts.rows() - 1);
  taken = Vector::Zero(way.step.size());
  for (const auto& [first, last] : regions) {
    taken.segment(first, last - first + 1) = way.step.segment(first, last - first + 1);
  }
  RegionSearch search(nodes, way, taken, lambda, ended);
  bool whole = taken == way.step;
  for (const Region& region : regions) {
    const double length = search.length(region, whole);
    search.move(region, length);
    taken.segment(region.first, region.last - region.first + 1) *= length;
  }
  return whole;
}

}  // namespace alo
