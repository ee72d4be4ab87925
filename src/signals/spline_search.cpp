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

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A safeguard: rounds of the search at one lambda, of which ten to sixty are usual.
constexpr int most_rounds = 500;
// A knot is missing where |u| exceeds lambda by dual_share of lambda, plus dual_rounding times the largest w
// |y| times the length of the stretch to the power k - 1/2. The second is the rounding of k-fold sums over
// the stretch between two knots whose errors have random signs. The first is a tenth of
// FitOptions::tolerance; at ten times gaps reach it, at a tenth knots come and go that change the gap by
// 1e-12.
constexpr double dual_share = 1e-11;
constexpr double dual_rounding = 4.0 * epsilon;
// A difference is zero below this share of the largest |y| times the sum of its parts: some epsilon for each
// of the k coefficients. At a tenth rounding keeps knots, at ten times knots that bend the signal by 1e-13 of
// it are dropped.
constexpr double knot_tie_share = 32.0 * epsilon;
// A knot with a difference below this share of the change of a step would start against its sign, or end at
// once: it is treated as a new one. Any value between 1e-12 and 1e-6 serves: a smaller one costs rounds with
// steps of no length, a larger one drops knots that come back.
constexpr double flat_share = 1e-9;
// The search has succeeded when |u| exceeds lambda by at most this share at the end, where a knot would come
// and go by rounding of u alone. Beyond it the search is given up, and other methods try; the certificate
// judges the fit in any case, so that only the choice of the next method depends on it.
constexpr double rounding_share = 1e-6;
// Regions move by themselves if they are separated by entries of the step below these shares of the largest;
// the first share with which the objective falls is taken. With zero the whole signal moves as one, which
// always lets the objective fall. Only the number of rounds depends on them.
constexpr std::array region_shares = {1e-3, 1e-6, 1e-9, 0.0};
// The weight of rows without weight in proximal steps, as a share of the mean weight: the first, the least,
// and the factor by which it falls when the values move by more than slow_share of what they moved before. A
// smaller weight takes fewer rounds and has a worse conditioned system: at least_open_share pivots are still
// 1e5 times the rounding. The values have converged when their weight times the last move is below pull_share
// of the largest w |y|, which is the rounding of the slopes of other rows.
constexpr double open_share = 1e-4;
constexpr double least_open_share = 1e-10;
constexpr double lighter = 0.01;
constexpr double slow_share = 0.1;
constexpr double pull_share = 1e-14;
// A safeguard: rounds of these values, of which about five are usual.
constexpr int most_values = 100;

bool any(const std::vector<char>& marks) {
  return std::ranges::find(marks, 1) != marks.end();
}

// Marks the knots that are new, or nearly without a difference, and whose difference would start against its
// sign. Of the new ones not all are marked: the knot with the largest excess, taken alone, would start with
// its sign.
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

// The difference with the sum and the first moment of two differences of the same sign. It changes the spline
// between them alone, so that it is a Gauss-Newton step for the place of a knot that should lie between two.
// (Knots at the extreme points of u, which halve the distance, take 1.5 times as many rounds.)
ActiveKnot center_of(const ActiveKnot& left, const ActiveKnot& right) {
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
  iterate_open_rows([this] {
    polish();
    return true;
  });
}

bool SplineSearch::solve(double lambda) {
  lambda_ = lambda;
  if (open_weight_ == 0.0) {
    const Spline before = spline_;
    const bool converged = search();
    if (converged || open_.empty()) return converged;
    spline_ = before;
    take_open_values();
    weigh_open_rows(open_share * mean_weight_);
  }
  return iterate_open_rows([this] { return search(); });
}

bool SplineSearch::search() {
  determined_ = true;
  ActiveKnots candidate = spline_.knots;
  std::optional<std::vector<Index>>
      before;  // the knots of the last spline that was the minimiser on its knots
  double excess = 0.0;
  for (int round = 0; round < most_rounds; ++round) {
    KnotMinimum least = minimize_on_knots(candidate);
    // The minimiser on the present knots can be worse only by rounding.
    const bool is_best = excess == 0.0 && least.spline.knots.size() == candidate.size();
    bool is_minimizer = true;  // on its knots
    if (least.change.is_fall() || is_best) {
      spline_ = std::move(least.spline);
    } else {
      is_minimizer = step(std::move(candidate));
    }
    if (is_open()) return false;
    candidate = spline_.knots;
    excess = is_minimizer ? missing_knots<double>(candidate) : 0.0;
    if (!is_minimizer) continue;
    // The objective falls from one such minimiser to the next, so that only rounding can bring the same knots
    // back.
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

// The change of the objective by a step from a spline whose differences are the values of the knots. The
// changes of the terms are added up. A difference of the objectives at both ends would often be rounding,
// because the signals of quadratic models are large where their weights are small.
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

// The minimiser on the candidate's knots; then the one without the knots whose difference is zero there or
// contradicts its sign, and so on until there are none. The objective need not fall, so its change is
// returned too; it is computed in the basis of all the candidate's knots.
SplineSearch::KnotMinimum SplineSearch::minimize_on_knots(const ActiveKnots& candidate) {
  const Model all = model_on(candidate);
  Spline spline{candidate, all.minimizer()};
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
    spline.coefficients = fewer->minimizer();
  }
  const Vector from = all.splines.convert(splines_of(spline_.knots), spline_.coefficients);
  const Vector to = fewer ? all.splines.convert(fewer->splines, spline.coefficients) : spline.coefficients;
  const Change change = change_by(to - from, from, all, candidate);
  return {std::move(spline), change};
}

// A step from the present spline towards the minimiser on the candidate's knots, without the knots whose
// difference would start against its sign. True if the result is the minimiser on its knots, or no step lets
// the objective fall.
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
  spline_.coefficients = model.minimizer();
  Vector left(signal_.size());
  model.splines.visit_values<long double>(spline_.coefficients, [&](Index row, long double value) {
    left[row] = static_cast<double>(weights_[row] * (signal_[row] - value));
  });
  spline_.coefficients += model.system.solve(model.splines.products(left) - model.pull);
  const Vector differences = model.splines.differences_of(spline_.coefficients);
  // Where u touches its bound the difference may be rounding; it keeps the sign of the knot.
  constexpr double least = std::numeric_limits<double>::min();
  for (std::size_t k = 0; k < spline_.knots.size(); ++k) {
    ActiveKnot& knot = spline_.knots[k];
    knot.value = knot.sign * std::max(least, knot.sign * differences[static_cast<Index>(k)]);
  }
}

// Adds a knot on each stretch of rows on which |u| exceeds lambda, and returns the largest excess, zero if
// there is none.
template <class Real>
double SplineSearch::missing_knots(ActiveKnots& knots) const {
  const Vector dual =
      spline_dual<Real>(splines_of(knots), spline_.coefficients, signal_, weights_, knots, lambda_);
  ActiveKnots found;
  Index begin = -1;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const bool is_pair = k > 0 && knots[k - 1].sign == knots[k].sign;
    const ActiveKnot center = is_pair ? center_of(knots[k - 1], knots[k]) : ActiveKnot{.difference = -1};
    add_extremes(dual, begin, knots[k].difference, center, found);
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

// Adds the knots between the differences `begin` and `end`: on each stretch the centre of the two if it lies
// there, and otherwise the extreme point of u.
void SplineSearch::add_extremes(const Vector& dual, Index begin, Index end, const ActiveKnot& center,
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
    bool has_center = false;
    for (; m < end && sign * dual[m] > *limit; ++m) {
      // Over rows without weight u of order two is straight, and others have its extremes.
      if (order_ == 2 && weights_[m + 1] == 0.0) continue;
      if (extreme < 0 || sign * dual[m] > sign * dual[extreme]) extreme = m;
      has_center = has_center || (m == center.difference && sign == center.sign);
    }
    --m;
    if (extreme < 0) continue;
    if (has_center) extreme = center.difference;
    found.push_back({.difference = extreme, .sign = sign, .excess = std::abs(dual[extreme]) - lambda_});
  }
}

void SplineSearch::weigh_open_rows(double weight) {
  open_weight_ = weight;
  for (const Index i : open_) weights_[i] = weight;
  sums_.forget();
}

// Gives rows without weight the values of the present spline as their signal, and returns the largest change.
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

// Calls find(), which finds a spline, until the values at rows without weight stay the same. False if find()
// fails, or they do not come to rest.
template <class F>
bool SplineSearch::iterate_open_rows(F&& find) {
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
