// SPDX-License-Identifier: MIT
#include "solvers/quadratic/lasso_walk.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

using tolerances::least_gap;
using tolerances::least_rate;
using tolerances::out_of_reach;

// The distance that every coordinate can go until it meets a wall; returns the least.
ALO_MULTIVERSION
double least_reach(Index size, const double* state, const double* rate, const double* low, const double* high,
                   const double* approach, double* reach) {
  double least = infinity;
#pragma omp simd reduction(min : least)
  for (Index k = 0; k < size; ++k) {
    const double above = high[k] - state[k] > least_gap ? high[k] - state[k] : least_gap;
    const double below = state[k] - low[k] > least_gap ? state[k] - low[k] : least_gap;
    const double rising = approach[k] + rate[k] > least_rate ? approach[k] + rate[k] : least_rate;
    const double falling = approach[k] - rate[k] > least_rate ? approach[k] - rate[k] : least_rate;
    const double up = above / rising;
    const double down = below / falling;
    reach[k] = up < down ? up : down;
    least = reach[k] < least ? reach[k] : least;
  }
  return least;
}

void grow(Vector& vector, Index size, double value) {
  const Index before = vector.size();
  vector.conservativeResize(size);
  vector.tail(size - before).setConstant(value);
}

}  // namespace

std::vector<Index> LassoWalk::active_coordinates() const {
  std::vector<Index> coordinates;
  for (Index k = 0; k < size(); ++k) {
    if (is_active(k)) coordinates.push_back(k);
  }
  return coordinates;
}

double LassoWalk::largest_barred() const {
  double largest = 0.0;
  for (Index k = 0; k < size(); ++k) {
    if (bar(k) != Bar::none && !is_active(k)) largest = std::max(largest, std::abs(state_[k]));
  }
  return largest;
}

bool LassoWalk::touches_threshold(double share) const {
  for (Index k = 0; k < size(); ++k) {
    if (is_active(k) || bar(k) != Bar::none) continue;
    if (std::abs(state_[k]) >= (1.0 - share) * threshold_[k]) return true;
  }
  return false;
}

void LassoWalk::stand_at(const LassoWalk& other, const VectorView& rates) {
  if (size() != other.size()) *this = other;
  state_ = other.state_;
  low_ = other.low_;
  high_ = other.high_;
  approach_ = other.approach_;
  signs_ = other.signs_;
  active_ = other.active_;
  bars_ = other.bars_;
  rate_ = rates;
}

void LassoWalk::join(const VectorView& gradients, const VectorView& rates, double threshold) {
  const Index before = size();
  const Index after = before + gradients.size();
  for (Vector* vector : {&state_, &rate_, &low_, &high_, &approach_, &signs_}) grow(*vector, after, 0.0);
  grow(threshold_, after, threshold);
  grow(falling_, after, 1.0);
  state_.tail(gradients.size()) = gradients;
  rate_.tail(gradients.size()) = rates;
  active_.resize(static_cast<std::size_t>(after), 0);
  bars_.resize(static_cast<std::size_t>(after), Bar::none);
  reach_.resize(after);
  for (Index k = before; k < after; ++k) set_walls(k);
}

void LassoWalk::set_walls(Index k) {
  const bool gradient = !is_active(k);
  const bool free = gradient && bar(k) != Bar::none;
  low_[k] = free || (!gradient && signs_[k] < 0.0) ? -infinity : (gradient ? -threshold_[k] : 0.0);
  high_[k] = free || (!gradient && signs_[k] > 0.0) ? infinity : (gradient ? threshold_[k] : 0.0);
  approach_[k] = gradient ? falling_[k] : 0.0;
}

void LassoWalk::activate(Index k, double coefficient) {
  active_[static_cast<std::size_t>(k)] = 1;
  signs_[k] = coefficient < 0.0 ? -1.0 : 1.0;
  state_[k] = coefficient;
  set_walls(k);
}

void LassoWalk::set_threshold(Index k, double threshold) {
  threshold_[k] = threshold;
  set_walls(k);
}

void LassoWalk::set_thresholds(double threshold) {
  threshold_.setConstant(threshold);
  for (Index k = 0; k < size(); ++k) set_walls(k);
}

void LassoWalk::close_all(double rate) {
  falling_.setConstant(rate);
  at_rest_ = rate == 0.0;
  for (Index k = 0; k < size(); ++k) set_walls(k);
}

void LassoWalk::close_one(Index one) {
  falling_.setZero();
  falling_[one] = 1.0;
  at_rest_ = false;
  for (Index k = 0; k < size(); ++k) set_walls(k);
}

void LassoWalk::set_bar(Index k, Bar bar) {
  bars_[static_cast<std::size_t>(k)] = bar;
  set_walls(k);
}

void LassoWalk::lift_bars(Bar kind) {
  for (Index k = 0; k < size(); ++k) {
    if (bar(k) == kind) set_bar(k, Bar::none);
  }
}

LassoWalk::Knot LassoWalk::next() const {
  const double distance = least_reach(size(), state_.data(), rate_.data(), low_.data(), high_.data(),
                                      approach_.data(), reach_.data());
  if (!(distance < out_of_reach)) return {infinity, -1, 0.0};
  Index at = 0;
  while (reach_[at] != distance) ++at;
  if (is_active(at)) return {distance, at, 0.0};
  // Which of the two walls is met; the factor 1 + 1e-12 allows for the rounding of the division in reach_.
  const double above = std::max(high_[at] - state_[at], least_gap);
  const bool meets_high = above <= distance * std::max(approach_[at] + rate_[at], least_rate) * (1.0 + 1e-12);
  return {distance, at, meets_high ? 1.0 : -1.0};
}

void LassoWalk::advance(double distance) {
  blas::add_multiple(state_, distance, rate_);
  if (at_rest_) return;
  threshold_ -= distance * falling_;
  low_ += distance * approach_;
  high_ -= distance * approach_;
}

// On entering with sign s the coefficient starts at zero and its gradient is held at s t; on leaving the
// coefficient is zero and its gradient starts at s t. Both are a pivot, which changes z and q by multiples of
// u; the multiples are those that give coordinate k these values exactly.
void LassoWalk::pivot(const Knot& knot, const VectorView& u) {
  const Index k = knot.at;
  const bool enters = knot.enters();
  const double sign = enters ? knot.sign : signs_[k];
  const double held = sign * threshold_[k];
  const double held_rate = -sign * falling_[k];
  const double step = (enters ? state_[k] - held : state_[k]) / u[k];
  const double turn = (enters ? rate_[k] - held_rate : rate_[k]) / u[k];
  blas::add_multiple(state_, -step, u);
  blas::add_multiple(rate_, -turn, u);
  state_[k] = enters ? step : held - step;
  rate_[k] = enters ? turn : held_rate - turn;
  active_[static_cast<std::size_t>(k)] = enters ? 1 : 0;
  signs_[k] = enters ? sign : 0.0;
  set_walls(k);
  // A column that depended on the active ones need not depend on those that remain.
  if (!enters) lift_bars(Bar::depends);
}

}  // namespace alo
