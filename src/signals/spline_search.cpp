// SPDX-License-Identifier: MIT
#include "signals/spline_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "signals/spline_dual.hpp"
#include "signals/spline_line_search.hpp"

namespace alo {

namespace {

constexpr int most_rounds = 500;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double dual_share = 1e-11;
constexpr double dual_rounding = 4.0 * epsilon;
constexpr double knot_tie_share = 32.0 * epsilon;
constexpr double flat_share = 1e-9;
constexpr double rounding_share = 1e-6;
constexpr std::array region_shares = {1e-3, 1e-6, 1e-9, 0.0};
constexpr double open_share = 1e-4;
constexpr double least_open_share = 1e-10;
constexpr double lighter = 0.01;
constexpr double slow_share = 0.1;
constexpr double pull_share = 1e-14;
constexpr int most_values = 100;

bool any(const std::vector<char>& marks) {
  return std::ranges::find(marks, 1) != marks.end();
}

// Knots that are new or nearly without a difference and would start against their sign. Of the new ones never
// all are taken: the one that is missed most would not start so alone.
std::vector<char> against_their_sign(const ActiveKnots& knots, const Vector& changes) {
  std::vector<char> result(knots.size(), 0);
  std::size_t most = 0;
  bool added = false;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const double now = knots[k].sign * knots[k].value;
    const double then = now + knots[k].sign * changes[static_cast<Index>(k)];
    result[k] = now < flat_share * (now - then) || (now == 0.0 && then == 0.0);
    if (knots[k].excess > knots[most].excess) most = k;
    added = added || (knots[k].excess > 0.0 && !result[k]);
  }
  if (!added && !knots.empty() && knots[most].excess > 0.0) result[most] = 0;
  return result;
}

// One difference with the sum and the first moment of two with the same sign. In its place they would leave
// the spline as it is but between them, so this is the Gauss-Newton step for the place of a knot that should
// be between two. (Halving distances by the extreme points of u instead takes half as many rounds again.)
ActiveKnot centre_of(const ActiveKnot& left, const ActiveKnot& right) {
  const double share = std::abs(right.value) / (std::abs(left.value) + std::abs(right.value));
  const double distance = static_cast<double>(right.difference - left.difference);
  return {.difference = left.difference + std::lround(share * distance), .sign = left.sign};
}

}  // namespace

SplineSearch::SplineSearch(Vector signal, Vector weights, int order)
    : signal_(std::move(signal)), weights_(std::move(weights)), order_(order) {
  for (Index i = 0; i < signal_.size(); ++i) {
    if (weights_[i] > 0.0) continue;
    open_.push_back(i);
    signal_[i] = 0.0;
  }
  if (static_cast<Index>(open_.size()) < signal_.size()) mean_weight_ = weights_.mean();
  scale_ = signal_.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
  magnitude_ = signal_.lpNorm<Eigen::Infinity>();
  polish();
  if (!is_open()) return;
  weigh_open_rows(open_share * mean_weight_);
  settle_open_rows([this] {
    polish();
    return true;
  });
}

bool SplineSearch::solve(double lambda) {
  lambda_ = lambda;
  if (open_weight_ == 0.0) {
    const Spline before = spline_;
    const bool settled = search();
    if (settled || open_.empty()) return settled;
    spline_ = before;
    take_open_values();
    weigh_open_rows(open_share * mean_weight_);
  }
  return settle_open_rows([this] { return search(); });
}

bool SplineSearch::search() {
  determined_ = true;
  ActiveKnots candidate = spline_.knots;
  std::optional<std::vector<Index>> before;  // the knots of the last minimiser on its knots
  double excess = 0.0;
  for (int round = 0; round < most_rounds; ++round) {
    Settled quick = settle(candidate);
    // The minimiser on the present knots cannot be worse but for rounding.
    const bool is_best = excess == 0.0 && quick.spline.knots.size() == candidate.size();
    bool is_minimiser = true;  // on its knots
    if (quick.change.is_fall() || is_best) {
      spline_ = std::move(quick.spline);
    } else {
      is_minimiser = step(std::move(candidate));
    }
    if (is_open()) return false;
    candidate = spline_.knots;
    excess = is_minimiser ? missing_knots<double>(candidate) : 0.0;
    if (!is_minimiser) continue;
    // From one such minimiser to the next the objective falls, so that knots come back by rounding only.
    std::vector<Index> differences = differences_of(spline_.knots);
    const bool is_last = differences == before;
    before = std::move(differences);
    if (excess > 0.0 && !is_last) continue;
    polish();
    candidate = spline_.knots;
    excess = missing_knots<long double>(candidate);
    if (excess == 0.0 || is_last) return excess <= rounding_share * lambda_ && !is_open();
  }
  polish();
  return false;
}

DiscreteSplines SplineSearch::splines_of(const ActiveKnots& knots) const {
  return {signal_.size(), order_, differences_of(knots)};
}

SplineSearch::Model SplineSearch::model_on(const ActiveKnots& knots) {
  const DiscreteSplines splines = splines_of(knots);
  Model model{splines, splines.difference_parts(), sums_.system(splines, weights_, signal_),
              Vector::Zero(splines.size())};
  for (Index k = 0; k < model.parts.cols(); ++k) {
    const double bound = lambda_ * knots[static_cast<std::size_t>(k)].sign;
    model.pull.segment(k, order_ + 1) += bound * model.parts.col(k);
  }
  determined_ = determined_ && model.system.is_definite();
  return model;
}

// By a step from a spline whose differences are the knots' values. The terms of the change are added up, and
// not those of the objective at both ends, whose rounding is often more than the change: signals are large
// where their weights are small.
SplineSearch::Change SplineSearch::change_by(const Vector& step, const Vector& from, const Model& model,
                                             const ActiveKnots& knots) const {
  const Vector image = model.system.multiply(from + 0.5 * step);
  double change = step.dot(image - model.system.right());
  double size = step.cwiseAbs().dot(image.cwiseAbs() + model.system.right().cwiseAbs());
  for (Index k = 0; k < model.parts.cols(); ++k) {
    const auto part = model.parts.col(k);
    const auto along = step.segment(k, order_ + 1);
    const double now = knots[static_cast<std::size_t>(k)].value;
    const double by = part.dot(along);
    const bool keeps_sign = now * (now + by) > 0.0;
    change += lambda_ * (keeps_sign ? std::copysign(1.0, now) * by : std::abs(now + by) - std::abs(now));
    size += lambda_ * part.cwiseAbs().dot(along.cwiseAbs());
  }
  return {change, epsilon * size};
}

// The minimiser on the candidate's knots, less those that are against their sign or without a difference
// there, and so on. Nothing says that the objective falls. It is compared in the basis of all these knots.
SplineSearch::Settled SplineSearch::settle(const ActiveKnots& candidate) {
  const Model all = model_on(candidate);
  Spline spline{candidate, all.minimiser()};
  std::optional<Model> fewer;
  for (;;) {
    const Matrix& parts = fewer ? fewer->parts : all.parts;
    std::vector<char> drop(spline.knots.size(), 0);
    for (std::size_t k = 0; k < spline.knots.size(); ++k) {
      const auto part = parts.col(static_cast<Index>(k));
      ActiveKnot& knot = spline.knots[k];
      knot.value = part.dot(spline.coefficients.segment(static_cast<Index>(k), order_ + 1));
      drop[k] = !(knot.sign * knot.value > knot_tie_share * magnitude_ * part.lpNorm<1>());
    }
    if (!any(drop)) break;
    drop_knots(spline.knots, drop);
    fewer = model_on(spline.knots);
    spline.coefficients = fewer->minimiser();
  }
  const Vector from = all.splines.convert(splines_of(spline_.knots), spline_.coefficients);
  const Vector to = fewer ? all.splines.convert(fewer->splines, spline.coefficients) : spline.coefficients;
  const Change change = change_by(to - from, from, all, candidate);
  return {std::move(spline), change};
}

// A step from the present spline towards the minimiser on the candidate's knots, less those that would not
// let the objective fall at first. True if it is a minimiser on its knots after that, or nothing was gained.
bool SplineSearch::step(ActiveKnots candidate) {
  const DiscreteSplines present = splines_of(spline_.knots);
  for (;;) {
    const Model model = model_on(candidate);
    const Vector from = model.splines.convert(present, spline_.coefficients);
    SplineDirection direction{model.parts, model.system, {}, {}};
    direction.slope = model.system.right() - model.pull - model.system.multiply(from);
    direction.step = model.system.solve(direction.slope);
    const std::vector<char> drop =
        against_their_sign(candidate, model.splines.differences_of(direction.step));
    if (any(drop)) {
      drop_knots(candidate, drop);
      continue;
    }
    for (const double small : region_shares) {
      SplineMove move = move_by_regions(candidate, direction, lambda_, small);
      if (!change_by(move.step, from, model, candidate).is_fall()) continue;
      for (ActiveKnot& knot : move.knots) knot.excess = 0.0;
      spline_.coefficients = splines_of(move.knots).convert(model.splines, from + move.step);
      spline_.knots = std::move(move.knots);
      return move.whole;
    }
    return true;
  }
}

// The minimiser on the present knots, by one step of iterative refinement with residuals in long double.
void SplineSearch::polish() {
  const Model model = model_on(spline_.knots);
  if (!open_.empty()) determined_ = determined_ && model.splines.is_determined_by(weights_);
  spline_.coefficients = model.minimiser();
  Vector left(signal_.size());
  model.splines.visit_values<long double>(spline_.coefficients, [&](Index row, long double value) {
    left[row] = static_cast<double>(weights_[row] * (signal_[row] - value));
  });
  spline_.coefficients += model.system.solve(model.splines.products(left) - model.pull);
  const Vector differences = model.splines.differences_of(spline_.coefficients);
  // Where u touches its bound and the difference is only rounding, that has the knot's sign all the same.
  constexpr double least = std::numeric_limits<double>::min();
  for (std::size_t k = 0; k < spline_.knots.size(); ++k) {
    ActiveKnot& knot = spline_.knots[k];
    knot.value = knot.sign * std::max(least, knot.sign * differences[static_cast<Index>(k)]);
  }
}

// Adds a knot on each stretch of rows on which |u| exceeds lambda; the largest excess, 0 if there is none.
template <class Real>
double SplineSearch::missing_knots(ActiveKnots& knots) const {
  const Vector dual =
      spline_dual<Real>(splines_of(knots), spline_.coefficients, signal_, weights_, knots, lambda_);
  ActiveKnots found;
  Index begin = -1;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const bool is_pair = k > 0 && knots[k - 1].sign == knots[k].sign;
    const ActiveKnot centre = is_pair ? centre_of(knots[k - 1], knots[k]) : ActiveKnot{.difference = -1};
    add_extremes(dual, begin, knots[k].difference, centre, found);
    found.push_back(knots[k]);
    found.back().excess = 0.0;
    begin = knots[k].difference;
  }
  add_extremes(dual, begin, dual.size() - 1, {.difference = -1}, found);
  knots = std::move(found);
  double largest = 0.0;
  for (const ActiveKnot& knot : knots) largest = std::max(largest, knot.excess);
  return largest;
}

// Those behind difference `begin` and before `end`: the centre of the two where its stretch has it, and
// otherwise where u is extreme.
void SplineSearch::add_extremes(const Vector& dual, Index begin, Index end, const ActiveKnot& centre,
                                ActiveKnots& found) const {
  const double bound = lambda_ + dual_share * lambda_;
  std::optional<double> limit;
  for (Index m = begin + 1; m < end; ++m) {
    if (!(std::abs(dual[m]) > bound)) continue;
    if (!limit) {
      limit = bound + dual_rounding * scale_ * std::pow(static_cast<double>(end - begin), order_ - 0.5);
    }
    if (!(std::abs(dual[m]) > *limit)) continue;
    const double sign = dual[m] > 0.0 ? 1.0 : -1.0;
    Index extreme = -1;
    bool has_centre = false;
    for (; m < end && sign * dual[m] > *limit; ++m) {
      // Over rows without weight u of order two is straight, and others have its extremes.
      if (order_ == 2 && weights_[m + 1] == 0.0) continue;
      if (extreme < 0 || sign * dual[m] > sign * dual[extreme]) extreme = m;
      has_centre = has_centre || (m == centre.difference && sign == centre.sign);
    }
    --m;
    if (extreme < 0) continue;
    if (has_centre) extreme = centre.difference;
    found.push_back({.difference = extreme, .sign = sign, .excess = std::abs(dual[extreme]) - lambda_});
  }
}

void SplineSearch::weigh_open_rows(double weight) {
  open_weight_ = weight;
  for (const Index i : open_) weights_[i] = weight;
  sums_.forget();
}

// The largest change of their signal, which is the present spline after that.
double SplineSearch::take_open_values() {
  double moved = 0.0;
  std::size_t next = 0;
  splines_of(spline_.knots)
      .visit_values<long double>(spline_.coefficients, [&](Index row, long double value) {
        if (next == open_.size() || open_[next] != row) return;
        ++next;
        moved = std::max(moved, std::abs(signal_[row] - static_cast<double>(value)));
        signal_[row] = static_cast<double>(value);
      });
  sums_.forget();
  return moved;
}

// Calls find(), which finds a spline, until the values of these rows stay; false if one of them does not.
template <class F>
bool SplineSearch::settle_open_rows(F&& find) {
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_values; ++round) {
    if (!find()) return false;
    const double moved = take_open_values();
    if (open_weight_ * moved <= pull_share * scale_) return true;
    if (moved > slow_share * before) {
      weigh_open_rows(std::max(least_open_share * mean_weight_, lighter * open_weight_));
    }
    before = moved;
  }
  return false;
}

}  // namespace alo
