// SPDX-License-Identifier: MIT
// The walk from station to station, knot by knot.
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/quadratic/lasso_knots.hpp"

namespace alo {

// Sets the rate at which the thresholds fall from here on.
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
  // Coinciding knots could be visited in a cycle. After `patience` knots the rest of the way is taken without
  // any; the fit then misses its certificate and is solved for by an active set (retry).
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

// Exchanges column k, which is beyond its threshold and depends on the active ones, for one of these: the
// coefficients move along the dependence, which changes no gradient, until the first one reaches zero.
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

// The sum of the leverages. The trace of Z_A (Z_A'Z_A + D)^-1 Z_A' is |A| - tr(D V), V = (Z_A'Z_A + D)^-1.
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
