// SPDX-License-Identifier: MIT
// The walk from station to station, knot by knot.
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/quadratic/lasso_knots.hpp"

namespace alo {

// Thresholds fall at this rate from here on.
void LassoKnots::turn(double rate) {
  if (rate == rate_) return;
  rate_ = rate;
  walk_.close_all(rate);
  walk_.set_rates(-tableau_.multiply(walk_.pull()));
}

void LassoKnots::go_to(double threshold) {
  turn(threshold > current_ ? -1.0 : 1.0);
  lower(std::abs(current_ - threshold));
  current_ = threshold;
  walk_.set_thresholds(threshold);
}

void LassoKnots::lower(double distance) {
  // Knots that coincide could be visited in a circle. Then the rest of the way is taken without
  // them, and the certificate, which the fit misses, sends it to another solver.
  const Index patience = 1000 + 20 * (columns_->rows() + size());
  fallen_ = 0.0;
  for (Index visited = 0; visited < patience; ++visited) {
    const LassoWalk::Knot knot = walk_.next();
    if (knot.distance >= distance) break;
    note_stretch(knot.distance);
    walk_.advance(knot.distance);
    distance -= knot.distance;
    fallen_ += knot.distance;
    pivot(knot);
  }
  note_stretch(distance);
  walk_.advance(distance);
}

void LassoKnots::pivot(const LassoWalk::Knot& knot) {
  const Index k = knot.at;
  const Vector u = tableau_.column(k);
  if (knot.enters() && columns_->depends(working_[static_cast<std::size_t>(k)], u[k], ridge_)) {
    const bool alone = rate_ == 0.0;
    if (!alone || !exchange(k, knot.sign, u)) walk_.set_bar(k, LassoWalk::Bar::depends);
    return;
  }
  if (leverages_) leverages_->note(walk_, working_, k, u);
  tableau_.pivot(k, u, knot.enters());
  walk_.pivot(knot, u);
  ++pivots_;
}

// A column beyond its threshold that depends on the active ones: moved along the dependence,
// which changes no gradient, it takes the place of the first that reaches zero.
bool LassoKnots::exchange(Index k, double sign, const VectorView& u) {
  LassoWalk::Knot leaving{std::numeric_limits<double>::infinity(), -1, 0.0};
  Vector state = walk_.state();
  for (const Index i : walk_.active_coordinates()) {
    const double change = -sign * u[i];
    if (walk_.signs()[i] * change < 0.0 && -state[i] / change < leaving.distance) {
      leaving = {-state[i] / change, i, 0.0};
    }
  }
  if (leaving.at < 0) return false;
  for (const Index i : walk_.active_coordinates()) state[i] -= sign * leaving.distance * u[i];
  state[leaving.at] = 0.0;
  walk_.set_state(state);
  pivot(leaving);
  pivot({0.0, k, sign});
  if (!walk_.is_active(k)) return false;
  state = walk_.state();
  state[k] = sign * leaving.distance;
  walk_.set_state(state);
  return true;
}

// What the leverages sum to: the trace of Z_A (Z_A'Z_A + D)^-1 Z_A' is |A| - tr(D V).
double LassoKnots::trace() const {
  const std::vector<Index> active = walk_.active_coordinates();
  double sum = static_cast<double>(columns_->free_rank()) + static_cast<double>(active.size());
  if ((ridge_.array() == 0.0).all()) return sum;
  const Vector diagonal = tableau_.diagonal();
  for (const Index k : active) sum += ridge_[working_[static_cast<std::size_t>(k)]] * diagonal[k];
  return sum;
}

void LassoKnots::note(Station& station) {
  station.state = walk_.coefficients();
  if (leverages_) station.mark = leverages_->mark(walk_, working_, trace());
  station.way = std::exchange(way_, {});
}

}  // namespace alo
