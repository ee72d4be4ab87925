// SPDX-License-Identifier: MIT
#include "signals/trend_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "signals/hat_line_search.hpp"

namespace alo {

namespace {

constexpr int most_rounds = 500;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
// |v| may exceed lambda by this share of it, and by what rounding leaves in the sums that make v.
constexpr double dual_share = 1e-11;
// A bend is rounding below this share of what the slopes around it are made of.
constexpr double tie_share = 32.0 * epsilon;
// A node that bends by less than this share of the change that would turn its sign hardly bends.
constexpr double flat_share = 1e-9;
// Where adding nodes no longer lowers the objective, this excess is taken for rounding.
constexpr double rounding_share = 1e-9;

}  // namespace

TrendSearch::TrendSearch(Vector signal, Vector weights, double magnitude)
    : signal_(std::move(signal)),
      weights_(std::move(weights)),
      scale_(signal_.cwiseProduct(weights_).lpNorm<Eigen::Infinity>()),
      magnitude_(magnitude),
      nodes_{HatNode{.row = 0}, HatNode{.row = signal_.size() - 1}},
      dual_(signal_.size()) {
  settle(nodes_);
}

bool TrendSearch::solve(double lambda) {
  lambda_ = lambda;
  best_ = objective(nodes_);
  HatNodes candidate = nodes_;
  double excess = 0.0;
  for (int round = 0; round < most_rounds; ++round) {
    HatNodes quick = candidate;
    settle(quick);
    const double before = best_;
    const double lower = objective(quick);
    // The minimiser on the present nodes cannot be worse but for rounding.
    const bool is_best = excess == 0.0 && quick.size() == candidate.size();
    bool stationary = true;
    if (lower < best_ || is_best) {
      nodes_ = std::move(quick);
      best_ = lower;
    } else {
      stationary = step(std::move(candidate));
      if (stationary && best_ == before && excess > 0.0) return excess <= rounding_share * lambda;
    }
    candidate = nodes_;
    excess = stationary ? missing_nodes(candidate) : 0.0;
    if (stationary && excess == 0.0) return true;
  }
  return false;
}

double TrendSearch::objective(const HatNodes& nodes) const {
  double squares = 0.0;
  double bends = 0.0;
  double slope_before = 0.0;
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    const HatNode& node = nodes[k];
    const Index end = nodes[k + 1].row;
    const double slope = (nodes[k + 1].value - node.value) / static_cast<double>(end - node.row);
    if (k > 0) bends += std::abs(slope - slope_before);
    slope_before = slope;
    double sum = 0.0;
    for (Index i = node.row; i < end; ++i) {
      const double left = signal_[i] - (node.value + static_cast<double>(i - node.row) * slope);
      sum += weights_[i] * left * left;
    }
    squares += sum;
  }
  const double left = signal_[signal_.size() - 1] - nodes.back().value;
  squares += weights_[signal_.size() - 1] * left * left;
  return 0.5 * squares + lambda_ * bends;
}

HatSystem TrendSearch::system(HatNodes& nodes) const {
  sum_rows(nodes, signal_, weights_);
  HatSystem equations;
  equations.assemble(nodes, weights_[signal_.size() - 1], signal_[signal_.size() - 1], lambda_);
  return equations;
}

// Solves, and drops nodes that bend against their sign or not at all, until none does. Nothing says that the
// objective falls.
void TrendSearch::settle(HatNodes& nodes) const {
  bool dropped = true;
  while (dropped) {
    const std::vector<double> values = system(nodes).solve();
    dropped = false;
    std::vector<char> drop(nodes.size(), 0);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      nodes[k].value = values[k];
      if (nodes[k].sign == 0.0) continue;
      const double slopes = 1.0 / static_cast<double>(nodes[k].row - nodes[k - 1].row) +
                            1.0 / static_cast<double>(nodes[k + 1].row - nodes[k].row);
      if (nodes[k].sign * bend(nodes, values, k) > tie_share * magnitude_ * slopes) continue;
      drop[k] = 1;
      dropped = true;
    }
    if (dropped) drop_nodes(nodes, drop);
  }
}

// The way from the present function to the minimiser on the candidate's nodes, on which the objective falls
// at first. For that no node that is new or hardly bends may start against its sign; those that would are
// taken out, but of the new ones never all: the one missed most would not start so alone.
std::vector<double> TrendSearch::direction(HatNodes& candidate, HatSystem& equations) const {
  for (;;) {
    equations = system(candidate);
    std::vector<double> target = equations.solve();
    std::vector<char> drop(candidate.size(), 0);
    std::size_t most = 0;
    bool added = false;
    for (std::size_t k = 1; k + 1 < candidate.size(); ++k) {
      const double now = candidate[k].excess > 0.0 ? 0.0 : candidate[k].sign * bend(candidate, k);
      const double then = candidate[k].sign * bend(candidate, target, k);
      drop[k] = now < flat_share * (now - then) || (now == 0.0 && then == 0.0);
      if (candidate[k].excess > candidate[most].excess) most = k;
      added = added || (candidate[k].excess > 0.0 && !drop[k]);
    }
    if (!added) drop[most] = 0;
    if (std::ranges::find(drop, 1) == drop.end()) {
      for (std::size_t k = 0; k < candidate.size(); ++k) target[k] -= candidate[k].value;
      return target;
    }
    drop_nodes(candidate, drop);
  }
}

// A step that lowers the objective: each region of the signal goes as far as is good for it. Regions are
// parted where the step is small, and when that neglects too much, where it is smaller. True if all nodes
// have gone to the minimiser.
bool TrendSearch::step(HatNodes candidate) {
  HatSystem equations;
  const std::vector<double> way = direction(candidate, equations);
  for (HatNode& node : candidate) node.excess = 0.0;
  for (const double small : {1e-3, 1e-6, 1e-9, 0.0}) {
    HatNodes moved = candidate;
    const bool whole = move_by_regions(moved, equations, way, lambda_, small);
    const double lower = objective(moved);
    if (lower >= best_) continue;
    nodes_ = std::move(moved);
    best_ = lower;
    return whole;
  }
  return true;
}

// Adds the extreme point of each stretch on which |v| exceeds lambda; the largest excess, 0 if there is none.
// Between nodes v is a double sum of residuals, plus the straight line that makes it +-lambda (or 0) at the
// nodes.
double TrendSearch::missing_nodes(HatNodes& nodes) {
  HatNodes found;
  double largest = 0.0;
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    const HatNode& node = nodes[k];
    const HatNode& next = nodes[k + 1];
    found.push_back(node);
    found.back().excess = 0.0;
    const Index size = next.row - node.row;
    const double length = static_cast<double>(size);
    const double slope = (next.value - node.value) / length;
    const double* y = signal_.data() + node.row;
    const double* w = weights_.data() + node.row;
    double sum = 0.0;
    double twice = 0.0;
    for (Index i = 1; i < size; ++i) {
      dual_[i] = twice;
      sum += w[i] * (y[i] - (node.value + static_cast<double>(i) * slope));
      twice += sum;
    }
    const double start = lambda_ * node.sign;
    const double tilt = (lambda_ * next.sign - start - twice) / length;
    const double limit = lambda_ + dual_share * lambda_ + 4.0 * epsilon * scale_ * std::pow(length, 1.5);
    HatNode extreme{.row = -1};
    for (Index i = 1; i < size; ++i) {
      const double v = start + dual_[i] + static_cast<double>(i) * tilt;
      const double sign = v > 0.0 ? 1.0 : -1.0;
      const bool beyond = std::abs(v) > limit;
      if (extreme.row >= 0 && (!beyond || sign != extreme.sign)) {
        found.push_back(std::exchange(extreme, HatNode{.row = -1}));
      }
      if (!beyond || w[i] == 0.0 || std::abs(v) - lambda_ <= extreme.excess) continue;
      extreme = {.row = node.row + i,
                 .sign = sign,
                 .value = node.value + static_cast<double>(i) * slope,
                 .excess = std::abs(v) - lambda_};
      largest = std::max(largest, extreme.excess);
    }
    if (extreme.row >= 0) found.push_back(extreme);
  }
  found.push_back(nodes.back());
  nodes = std::move(found);
  return largest;
}

}  // namespace alo
