// SPDX-License-Identifier: MIT
#include "solvers/kinked/homotopy/kink_walk.hpp"

#include <algorithm>
#include <utility>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

using tolerances::least_gap;
using tolerances::least_rate;
using tolerances::out_of_reach;

// The distance that every coordinate can go until it meets the wall ahead of it; returns the least.
ALO_MULTIVERSION
double least_reach(Index size, const double* state, const double* rate, const double* low, const double* high,
                   double* reach) {
  double least = infinity;
#pragma omp simd reduction(min : least)
  for (Index k = 0; k < size; ++k) {
    const double room = rate[k] > 0.0 ? high[k] - state[k] : state[k] - low[k];
    const double gap = room > least_gap ? room : least_gap;
    const double speed = rate[k] > 0.0 ? rate[k] : -rate[k];
    reach[k] = gap / (speed > least_rate ? speed : least_rate);
    least = reach[k] < least ? reach[k] : least;
  }
  return least;
}

}  // namespace

KinkWalk::KinkWalk(std::shared_ptr<const RowKinks> kinks, Index size)
    : kinks_(std::move(kinks)),
      state_(Vector::Zero(size)),
      other_(Vector::Zero(size)),
      low_(Vector::Constant(size, -infinity)),
      high_(Vector::Constant(size, infinity)),
      largest_slope_(kinks_->slope.lpNorm<Eigen::Infinity>()),
      sides_(static_cast<std::size_t>(size), Side::none),
      at_(static_cast<std::size_t>(size), 0),
      reach_(size) {}

void KinkWalk::place(Index k, Side side, int at, double subgradient, double predictor) {
  sides_[static_cast<std::size_t>(k)] = side;
  at_[static_cast<std::size_t>(k)] = at;
  if (side == Side::kink || side == Side::held) predictor = kinks_->position(at, k);
  state_[k] = side == Side::kink ? subgradient : predictor;
  other_[k] = side == Side::kink ? predictor : subgradient;
  set_walls(k);
}

KinkWalk::Walls KinkWalk::walls(Index k) const {
  const int m = at(k);
  switch (side(k)) {
    case Side::none:
      break;
    case Side::piece:
      return {kinks_->low_end(k, m), kinks_->high_end(k, m)};
    case Side::kink:
      return {kinks_->slope(m, k), kinks_->slope(m + 1, k)};
    case Side::held:
      return {kinks_->position(m, k), kinks_->position(m, k)};
  }
  return {-infinity, infinity};
}

void KinkWalk::set_walls(Index k) {
  const Walls own = walls(k);
  low_[k] = own.low;
  high_[k] = own.high;
}

void KinkWalk::bar(Index k) {
  low_[k] = -infinity;
  high_[k] = infinity;
  barred_.push_back(k);
}

void KinkWalk::lift_bars() {
  for (const Index k : barred_) set_walls(k);
  barred_.clear();
}

KinkWalk::Excess KinkWalk::largest_excess() const {
  Excess excess;
  for (Index k = 0; k < size(); ++k) {
    const Walls own = walls(k);
    double& largest = is_pinned(k) ? excess.subgradient : excess.predictor;
    largest = std::max({largest, own.low - state_[k], state_[k] - own.high});
  }
  return excess;
}

bool KinkWalk::is_at_wall(Index k, double slack) const {
  return is_pinned(k) && std::min(state_[k] - low_[k], high_[k] - state_[k]) <= slack;
}

Vector KinkWalk::subgradients() const {
  Vector result = other_;
  for (Index k = 0; k < size(); ++k) {
    if (is_pinned(k)) result[k] = state_[k];
  }
  return result;
}

KinkWalk::Knot KinkWalk::next(const VectorView& rates) const {
  const double distance =
      least_reach(size(), state_.data(), rates.data(), low_.data(), high_.data(), reach_.data());
  if (!(distance < out_of_reach)) return {infinity, -1, false};
  Index at = 0;
  while (reach_[at] != distance) ++at;
  return {distance, at, rates[at] > 0.0};
}

void KinkWalk::advance(const VectorView& rates, double distance) {
  blas::add_multiple(state_, distance, rates);
}

// A free row that meets a kink is pinned to it, and g_k starts from the slope of the piece it came from. A
// held row is pinned with the g_k it has. A pinned row whose g_k meets a slope becomes free on the piece with
// that slope, and eta_k starts from the kink.
void KinkWalk::pass(const Knot& knot) {
  const Index k = knot.at;
  const int m = at(k);
  switch (side(k)) {
    case Side::none:
      return;
    case Side::piece:
      return place(k, Side::kink, knot.up ? m : m - 1, kinks_->slope(m, k), 0.0);
    case Side::held:
      return place(k, Side::kink, m, other_[k], 0.0);
    case Side::kink: {
      const int piece = knot.up ? m + 1 : m;
      return place(k, Side::piece, piece, kinks_->slope(piece, k), kinks_->position(m, k));
    }
  }
}

}  // namespace alo
