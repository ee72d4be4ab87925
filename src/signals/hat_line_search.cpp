// SPDX-License-Identifier: MIT
#include "signals/hat_line_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace alo {

namespace {

// Nodes first ... last move; the bends of their neighbours change too.
struct Region {
  std::size_t first;
  std::size_t last;
};

// Where a bend changes its sign, and what that adds to the derivative of the objective.
struct Kink {
  double at;
  std::size_t node;
  double jump;
};

std::vector<Region> regions_of(const std::vector<double>& way, double small) {
  double largest = 0.0;
  for (const double part : way) largest = std::max(largest, std::abs(part));
  std::vector<Region> regions;
  for (std::size_t k = 0; k < way.size(); ++k) {
    if (std::abs(way[k]) <= small * largest) continue;
    if (!regions.empty() && k - regions.back().last <= 2) {
      regions.back().last = k;
    } else {
      regions.push_back({k, k});
    }
  }
  return regions;
}

class RegionSearch {
 public:
  RegionSearch(HatNodes& nodes, const HatSystem& equations, std::span<const double> step, double lambda)
      : nodes_(nodes), equations_(equations), step_(step), lambda_(lambda), drop_(nodes.size(), 0) {}

  // Moves one region; true if it went the whole way.
  bool move(const Region& region) {
    double slope = 0.0;      // of the objective, at the present position
    double curvature = 0.0;  // of its quadratic part
    differentiate(region, slope, curvature);
    double at = 0.0;
    bool whole = true;
    for (const Kink& kink : kinks_of(region)) {
      const double there = slope + (kink.at - at) * curvature;
      if (there >= 0.0) break;
      whole = false;
      at = kink.at;
      slope = there + kink.jump;
      if (slope >= 0.0) {
        drop_[kink.node] = 1;
        return finish(region, at, false);
      }
      nodes_[kink.node].sign = -nodes_[kink.node].sign;
    }
    const double end = curvature > 0.0 ? at - slope / curvature : 1.0;
    return finish(region, std::min(1.0, end), whole && end >= 1.0 - whole_tolerance);
  }

  const std::vector<char>& drop() const { return drop_; }

 private:
  static constexpr double whole_tolerance = 1e-9;

  bool finish(const Region& region, double at, bool whole) {
    if (whole) at = 1.0;
    for (std::size_t k = region.first; k <= region.last; ++k) nodes_[k].value += at * step_[k];
    return whole;
  }

  void differentiate(const Region& region, double& slope, double& curvature) const {
    for (std::size_t k = region.first; k <= region.last; ++k) {
      double image = equations_.diagonal[k] * step_[k];  // of the step under G, and of the values
      double left = equations_.right[k] - equations_.diagonal[k] * nodes_[k].value;
      if (k > 0) {
        image += equations_.beside[k - 1] * step_[k - 1];
        left -= equations_.beside[k - 1] * nodes_[k - 1].value;
      }
      if (k + 1 < nodes_.size()) {
        image += equations_.beside[k] * step_[k + 1];
        left -= equations_.beside[k] * nodes_[k + 1].value;
      }
      slope -= left * step_[k];
      curvature += image * step_[k];
    }
  }

  std::vector<Kink> kinks_of(const Region& region) const {
    std::vector<Kink> kinks;
    const std::size_t first = std::max<std::size_t>(region.first, 2) - 1;
    const std::size_t last = std::min(region.last + 1, nodes_.size() - 2);
    for (std::size_t k = first; k <= last; ++k) {
      const double change = bend(nodes_, step_, k);
      if (nodes_[k].sign * change >= 0.0) continue;
      const double at = std::max(0.0, -bend(nodes_, k) / change);
      if (at < 1.0) kinks.push_back({at, k, 2.0 * lambda_ * std::abs(change)});
    }
    std::ranges::sort(kinks, {}, &Kink::at);
    return kinks;
  }

  HatNodes& nodes_;
  const HatSystem& equations_;
  std::span<const double> step_;
  double lambda_;
  std::vector<char> drop_;
};

}  // namespace

bool move_by_regions(HatNodes& nodes, const HatSystem& equations, const std::vector<double>& way,
                     double lambda, double small) {
  const std::vector<Region> regions = regions_of(way, small);
  std::vector<double> step(way.size(), 0.0);
  for (const auto& [first, last] : regions) {
    std::copy(way.begin() + static_cast<Index>(first), way.begin() + static_cast<Index>(last) + 1,
              step.begin() + static_cast<Index>(first));
  }
  RegionSearch search(nodes, equations, step, lambda);
  bool whole = step == way;
  for (const Region& region : regions) whole = search.move(region) && whole;
  drop_nodes(nodes, search.drop());
  return whole;
}

}  // namespace alo
