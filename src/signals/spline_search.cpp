// SPDX-License-Identifier: MIT
#include "signals/spline_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "signals/spline_line_search.hpp"

namespace alo {

namespace {

constexpr int most_rounds = 500;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
// |u| may exceed lambda by this share of it, and by what rounding leaves in the sums that make u.
constexpr double dual_share = 1e-11;
// A difference is rounding below this share of what it is a difference of.
constexpr double tie_share = 32.0 * epsilon;
// A node whose difference is less than this share of the change that would turn its sign is hardly one.
constexpr double flat_share = 1e-9;
// Where adding nodes no longer lowers the objective, which is rounded by this share, this excess is taken for
// rounding.
constexpr double objective_rounding = 1e-12;
constexpr double rounding_share = 1e-6;
// What a row without weight gets at first, and at least, of the mean weight.
constexpr double open_share = 1e-4;
constexpr double least_open_share = 1e-10;
// Values of such rows may change so often. A change that is not this much smaller than the one before comes
// from too large a weight; one that pulls at the others by less than this share of them does not count.
constexpr int most_values = 100;
constexpr double slow_share = 0.1;
constexpr double pull_share = 1e-14;

void drop_nodes(SplineNodes& nodes, const std::vector<char>& drop) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!drop[k]) nodes[kept++] = nodes[k];
  }
  nodes.resize(kept);
}

// sum over the nodes of their signs times what each B-spline has of their differences.
Vector pull(const Matrix& parts, const SplineNodes& nodes, Index size) {
  Vector result = Vector::Zero(size);
  for (Index k = 0; k < parts.cols(); ++k) {
    result.segment(k, parts.rows()) += nodes[static_cast<std::size_t>(k)].sign * parts.col(k);
  }
  return result;
}

// Nodes that are new or hardly nodes and would start against their sign, but of the new ones never all: the
// one missed most would not start so alone.
std::vector<char> against_their_sign(const SplineNodes& nodes, const Vector& changes) {
  std::vector<char> result(nodes.size(), 0);
  std::size_t most = 0;
  bool added = false;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const double now = nodes[k].sign * nodes[k].value;
    const double then = now + nodes[k].sign * changes[static_cast<Index>(k)];
    result[k] = now < flat_share * (now - then) || (now == 0.0 && then == 0.0);
    if (nodes[k].excess > nodes[most].excess) most = k;
    added = added || (nodes[k].excess > 0.0 && !result[k]);
  }
  if (!added && !nodes.empty() && nodes[most].excess > 0.0) result[most] = 0;
  return result;
}

}  // namespace

std::vector<long double> spline_dual(const VectorView& signal, const VectorView& weights,
                                     const std::vector<long double>& values, int order,
                                     const SplineNodes& nodes, double lambda) {
  const auto count = static_cast<std::size_t>(signal.size() - order) + 1;
  std::vector<long double> dual(count);
  std::vector<long double> sums(static_cast<std::size_t>(order), 0.0L);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<Index>(i);
    long double sum = weights[row] > 0.0 ? weights[row] * (signal[row] - values[i]) : 0.0L;
    for (long double& level : sums) sum = level += sum;
    dual[i] = order % 2 == 0 ? sum : -sum;
  }
  // Straight between the nodes, and what is before the first is zero.
  long double from = 0.0L;
  Index begin = -1;
  const auto take_off = [&](Index end, long double known) {
    const long double to = dual[static_cast<std::size_t>(end)] - known;
    const long double slope = (to - from) / static_cast<long double>(end - begin);
    for (Index m = begin + 1; m <= end; ++m) {
      dual[static_cast<std::size_t>(m)] -= from + static_cast<long double>(m - begin) * slope;
    }
    from = to;
    begin = end;
  };
  for (const SplineNode& node : nodes) take_off(node.difference, lambda * node.sign);
  take_off(static_cast<Index>(count) - 1, 0.0L);
  return dual;
}

SplineSearch::SplineSearch(Vector signal, Vector weights, int order)
    : signal_(std::move(signal)), weights_(std::move(weights)), order_(order) {
  const double mean = weights_.mean();
  open_weight_ = mean > 0.0 ? open_share * mean : 1.0;
  least_open_weight_ = mean > 0.0 ? least_open_share * mean : 1.0;
  for (Index i = 0; i < signal_.size(); ++i) {
    if (weights_[i] > 0.0) continue;
    open_.push_back(i);
    weights_[i] = open_weight_;
    signal_[i] = 0.0;
  }
  scale_ = signal_.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
  magnitude_ = signal_.lpNorm<Eigen::Infinity>();
  settle_values([this] {
    polish();
    return true;
  });
}

bool SplineSearch::solve(double lambda) {
  lambda_ = lambda;
  return settle_values([this] { return search(); });
}

template <class F>
bool SplineSearch::settle_values(F&& find) {
  moved_ = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_values; ++round) {
    if (!find()) return false;
    if (take_values()) return true;
  }
  return false;
}

bool SplineSearch::take_values() {
  const double before = moved_;
  moved_ = 0.0;
  for (const Index i : open_) {
    moved_ = std::max(moved_, std::abs(signal_[i] - values_[i]));
    signal_[i] = values_[i];
  }
  if (open_weight_ * moved_ <= pull_share * scale_) return true;
  if (moved_ <= slow_share * before) return false;
  open_weight_ = std::max(least_open_weight_, 0.01 * open_weight_);
  for (const Index i : open_) weights_[i] = open_weight_;
  return false;
}

bool SplineSearch::search() {
  reference_ = values_;
  best_ = objective(nodes_, values_);
  SplineNodes candidate = nodes_;
  double excess = 0.0;
  for (int round = 0; round < most_rounds; ++round) {
    Point quick = settle(candidate);
    const double before = best_;
    const double lower = objective(quick.nodes, quick.values);
    // The minimiser on the present nodes cannot be worse but for rounding.
    const bool is_best = excess == 0.0 && quick.nodes.size() == candidate.size();
    bool stationary = true;
    if (lower < best_ || is_best) {
      nodes_ = std::move(quick.nodes);
      values_ = std::move(quick.values);
      best_ = lower;
    } else {
      stationary = step(std::move(candidate));
      if (stationary && best_ == before && excess > 0.0) return tighten() <= rounding_share * lambda_;
    }
    candidate = nodes_;
    excess = stationary ? missing_nodes(candidate) : 0.0;
    if (!stationary || excess > 0.0) continue;
    polish();
    candidate = nodes_;
    excess = missing_nodes(candidate);
    if (excess == 0.0) return true;
    best_ = objective(nodes_, values_);
  }
  polish();
  return false;
}

// Adds the node that is missed most as long as that is missed by ever less: what such nodes gain may be lost
// in the rounding of the objective. The excess that is left.
double SplineSearch::tighten() {
  polish();
  SplineNodes candidate = nodes_;
  double excess = missing_nodes(candidate);
  while (excess > 0.0) {
    std::vector<char> drop(candidate.size(), 0);
    for (std::size_t k = 0; k < candidate.size(); ++k) {
      drop[k] = candidate[k].excess > 0.0 && candidate[k].excess < excess ? 1 : 0;
    }
    drop_nodes(candidate, drop);
    Point next = settle(std::move(candidate));
    const double rounding = objective_rounding * weights_.dot((signal_ - reference_).cwiseAbs());
    if (objective(next.nodes, next.values) > best_ + rounding) return excess;
    const SplineNodes before = std::exchange(nodes_, std::move(next.nodes));
    polish();
    candidate = nodes_;
    const double left = missing_nodes(candidate);
    if (left >= excess) {
      nodes_ = before;
      polish();
      return excess;
    }
    excess = left;
  }
  return excess;
}

// Less what the squares are at a reference: signals may be large where their weights are small, and the
// rounding of their squares would be all that is seen.
double SplineSearch::objective(const SplineNodes& nodes, const Vector& values) const {
  double differences = 0.0;
  for (const SplineNode& node : nodes) differences += std::abs(node.value);
  const auto moved = reference_ - values;
  const auto middle = 0.5 * (reference_ + values);
  return moved.cwiseProduct(signal_ - middle).dot(weights_) + lambda_ * differences;
}

DiscreteSplines SplineSearch::splines_of(const SplineNodes& nodes) const {
  std::vector<Index> differences;
  for (const SplineNode& node : nodes) differences.push_back(node.difference);
  return {signal_.size(), order_, differences};
}

// Solves, and drops nodes against their sign or without a difference until there is none. Nothing says that
// the objective falls.
SplineSearch::Point SplineSearch::settle(SplineNodes nodes) const {
  for (;;) {
    const DiscreteSplines splines = splines_of(nodes);
    const Matrix parts = splines.difference_parts();
    const SplineSystem system(splines, weights_);
    const Vector coefficients = system.solve(splines.products(signal_.cwiseProduct(weights_)) -
                                             lambda_ * pull(parts, nodes, splines.size()));
    std::vector<char> drop(nodes.size(), 0);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto part = parts.col(static_cast<Index>(k));
      nodes[k].value = part.dot(coefficients.segment(static_cast<Index>(k), order_ + 1));
      const double rounding = tie_share * magnitude_ * part.lpNorm<1>();
      drop[k] = nodes[k].sign * nodes[k].value > rounding ? 0 : 1;
    }
    if (std::ranges::find(drop, 1) == drop.end()) {
      const std::vector<double> values = splines.combine<double>(coefficients);
      return {std::move(nodes), Eigen::Map<const Vector>(values.data(), signal_.size())};
    }
    drop_nodes(nodes, drop);
  }
}

// A step from the present spline towards the minimiser on the candidate's nodes, less those that would not
// let the objective fall at first. Each region of the signal goes as far as is good for it. True if all nodes
// have gone to the minimiser.
bool SplineSearch::step(SplineNodes candidate) {
  const Vector left = weights_.cwiseProduct(signal_ - values_);
  for (;;) {
    const DiscreteSplines splines = splines_of(candidate);
    SplineWay way(splines, weights_);
    way.slope = splines.products(left) - lambda_ * pull(way.parts, candidate, splines.size());
    way.step = way.system.solve(way.slope);
    const std::vector<char> drop = against_their_sign(candidate, splines.differences_of(way.step));
    if (std::ranges::find(drop, 1) == drop.end()) return take_step(candidate, splines, way);
    drop_nodes(candidate, drop);
  }
}

bool SplineSearch::take_step(SplineNodes nodes, const DiscreteSplines& splines, const SplineWay& way) {
  for (SplineNode& node : nodes) node.excess = 0.0;
  for (const double small : {1e-3, 1e-6, 1e-9, 0.0}) {
    SplineNodes moved = nodes;
    Vector taken;
    std::vector<char> ended(nodes.size(), 0);
    const bool whole = move_by_regions(moved, way, lambda_, small, taken, ended);
    const std::vector<double> change = splines.combine<double>(taken);
    Vector values = values_ + Eigen::Map<const Vector>(change.data(), values_.size());
    drop_nodes(moved, ended);
    const double lower = objective(moved, values);
    if (lower >= best_) continue;
    nodes_ = std::move(moved);
    values_ = std::move(values);
    best_ = lower;
    return whole;
  }
  return true;
}

// The minimiser on the present nodes, with residuals in long double.
void SplineSearch::polish() {
  const DiscreteSplines splines = splines_of(nodes_);
  const SplineSystem system(splines, weights_);
  const Matrix parts = splines.difference_parts();
  const Vector pulled = lambda_ * pull(parts, nodes_, splines.size());
  coefficients_ = system.solve(splines.products(signal_.cwiseProduct(weights_)) - pulled);
  const std::vector<long double> values = splines.combine<long double>(coefficients_);
  Vector left(signal_.size());
  for (Index i = 0; i < left.size(); ++i) {
    left[i] = static_cast<double>(weights_[i] * (signal_[i] - values[static_cast<std::size_t>(i)]));
  }
  coefficients_ += system.solve(splines.products(left) - pulled);
  const std::vector<double> polished = splines.combine<double>(coefficients_);
  values_ = Eigen::Map<const Vector>(polished.data(), signal_.size());
  const Vector differences = splines.differences_of(coefficients_);
  // Where u touches its bound and the difference is only rounding, that has the node's sign all the same.
  constexpr double least = std::numeric_limits<double>::min();
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    SplineNode& node = nodes_[k];
    node.value = node.sign * std::max(least, node.sign * differences[static_cast<Index>(k)]);
  }
}

// Adds the extreme point of each stretch on which |u| exceeds lambda; the largest excess, 0 if there is none.
double SplineSearch::missing_nodes(SplineNodes& nodes) const {
  const std::vector<long double> values(values_.begin(), values_.end());
  const std::vector<long double> dual = spline_dual(signal_, weights_, values, order_, nodes, lambda_);
  SplineNodes found;
  double largest = 0.0;
  Index begin = -1;
  for (std::size_t k = 0; k <= nodes.size(); ++k) {
    const Index end = k < nodes.size() ? nodes[k].difference : static_cast<Index>(dual.size()) - 1;
    const double length = static_cast<double>(end - begin);
    const double rounding = 4.0 * epsilon * scale_ * std::pow(length, order_ - 0.5);
    const double limit = lambda_ + dual_share * lambda_ + rounding;
    SplineNode extreme{.difference = -1};
    for (Index m = begin + 1; m < end; ++m) {
      const auto u = static_cast<double>(dual[static_cast<std::size_t>(m)]);
      const double sign = u > 0.0 ? 1.0 : -1.0;
      const bool beyond = std::abs(u) > limit;
      if (extreme.difference >= 0 && (!beyond || sign != extreme.sign)) {
        found.push_back(std::exchange(extreme, SplineNode{.difference = -1}));
      }
      if (!beyond || std::abs(u) - lambda_ <= extreme.excess) continue;
      extreme = {.difference = m, .sign = sign, .excess = std::abs(u) - lambda_};
      largest = std::max(largest, extreme.excess);
    }
    if (extreme.difference >= 0) found.push_back(extreme);
    if (k < nodes.size()) {
      found.push_back(nodes[k]);
      found.back().excess = 0.0;
    }
    begin = end;
  }
  nodes = std::move(found);
  return largest;
}

}  // namespace alo
