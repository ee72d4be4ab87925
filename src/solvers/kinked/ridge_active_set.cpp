// SPDX-License-Identifier: MIT
#include "solvers/kinked/ridge_active_set.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

// Rounds of the active set that do not lower the number of moves, after a round of multipliers. Places that
// are nearly right need one or two, and wrong ones are corrected by the next multipliers for less. Only the
// time depends on it.
constexpr int patience_of_round = 4;
// The active set is not tried in this number of first rounds while more rows are pinned than can be in the
// end. Only the time depends on it.
constexpr int rounds_of_patience = 8;
// A safeguard. The semismooth Newton method ends after finitely many steps, usually less than twenty. The
// limit is reached if the envelopes have no curvature along some direction, and sigma is then reduced.
constexpr int most_newton_steps = 100;
// A line search ends at a length whose slope is at most this share of the first slope (the curvature
// condition of Wolfe 1969). A smaller share costs evaluations that the next Newton step makes needless; at
// ten times the search never shortens a step.
constexpr double flat_share = 0.1;
// A slope below this share of the sum of the sizes of its terms is rounding: some epsilon, because signs of
// the errors vary. At ten times steps near the solution count as converged and the active set is asked too
// early; at a tenth the search follows rounding until most_newton_steps.
constexpr double slope_rounding = 1e-15;
// A safeguard: doublings or halvings of a length, of which 53 reach the last digit.
constexpr int most_doublings = 60;

}  // namespace

RidgeActiveSet::RidgeActiveSet(RowPlaces rows, Vector offset)
    : rows_(std::move(rows)),
      offset_(std::move(offset)),
      depends_(static_cast<std::size_t>(rows_.size()), 0) {}

void RidgeActiveSet::start_from(const Vector& coordinates, const Vector& gradient) {
  coordinates_ = coordinates;
  gradient_ = gradient;
  refresh();
  rows_.place_by_gradient(gradient_, predictor_);
}

void RidgeActiveSet::apply(const Step& step, double length) {
  coordinates_ += length * step.coordinates;
  predictor_ += length * step.predictor;
  for (Index i = 0; i < step.gradient.size(); ++i) {
    const bool arrives = length == 1.0 && step.gradient[i] != 0.0 && !rows_.is_pinned(i);
    gradient_[i] = arrives ? rows_.slope(i) : gradient_[i] + length * step.gradient[i];
  }
}

std::optional<Index> RidgeActiveSet::moves_after_step() {
  const auto step = step_to_kinks();
  if (!step) return std::nullopt;
  apply(*step, 1.0);
  return rows_.move_outgrown(predictor_, gradient_, depends_);
}

// If no row moves, one more step with products that are computed anew decides.
bool RidgeActiveSet::pivot_to_solution(int patience) {
  Index fewest = rows_.size() + 1;
  for (int idle = 0; idle < patience;) {
    auto moves = moves_after_step();
    if (moves == 0) {
      refresh();
      moves = moves_after_step();
    }
    if (!moves) return false;
    if (*moves == 0) return true;
    idle = *moves < fewest ? 0 : idle + 1;
    fewest = std::min(fewest, *moves);
  }
  return false;
}

bool RidgeActiveSet::solve_pinned(int patience) {
  const Vector coordinates = coordinates_;
  const Vector gradient = gradient_;
  const RowPlaces rows = rows_;
  if (pivot_to_solution(patience)) {
    rows_.leave_ends(gradient_);
    return true;
  }
  coordinates_ = coordinates;
  gradient_ = gradient;
  rows_ = rows;
  refresh();
  return false;
}

bool RidgeActiveSet::solve_augmented(AugmentedTerm term) {
  int skipped = 0;
  const auto next_round = [&] {
    const MultiplierRound round = minimize_augmented(term);
    const bool too_many = static_cast<Index>(rows_.pinned().size()) > most_pinned();
    if (too_many && skipped++ < rounds_of_patience) return round;
    return solve_pinned(patience_of_round) ? MultiplierRound::solved : round;
  };
  // The multipliers may have converged while the active set was not tried.
  return method_of_multipliers(term, gradient_, predictor_, rows_.kinks(), next_round) ||
         solve_pinned(patience_of_round);
}

MultiplierRound RidgeActiveSet::minimize_augmented(const AugmentedTerm& term) {
  Vector derivatives(rows_.size());
  auto round = MultiplierRound::not_minimized;
  rows_.place_by_proximal(term, predictor_, derivatives);
  for (int count = 0; count < most_newton_steps && round == MultiplierRound::not_minimized; ++count) {
    const Step step = newton_step(term, derivatives);
    const double length = line_search(step, term, derivatives);
    const bool is_whole = step.length == StepLength::newton && length == 1.0;
    apply(step, length);
    const bool changed = rows_.place_by_proximal(term, predictor_, derivatives);
    if (length == 0.0 || (is_whole && !changed)) round = MultiplierRound::minimized;
  }
  gradient_ = derivatives;
  refresh();
  return round;
}

// Bisection, because the slope along a step is monotone. A step along which the objective still falls at its
// end is taken whole; one of unknown length is doubled until the slope is flat, which it is before it is zero
// up to rounding only.
double RidgeActiveSet::line_search(const Step& step, const AugmentedTerm& term,
                                   const Vector& derivatives) const {
  const auto slope_at = [&](double length) {
    return penalty_slope(step, length).value + rows_.envelope_slope(term, predictor_, step.predictor, length);
  };
  const double size =
      penalty_slope(step, 0.0).size + derivatives.lpNorm<1>() * step.predictor.lpNorm<Eigen::Infinity>();
  const double begin = slope_at(0.0);
  if (!(begin < -slope_rounding * size)) return 0.0;
  const double flat = flat_share * -begin;
  double low = 0.0;
  double high = 1.0;
  double at_high = slope_at(high);
  for (int k = 0; step.length == StepLength::unknown && at_high < -flat && k < most_doublings; ++k) {
    low = high;
    high *= 2.0;
    at_high = slope_at(high);
  }
  if (at_high <= flat) return high;
  for (int k = 0; k < most_doublings; ++k) {
    const double middle = 0.5 * (low + high);
    const double slope = slope_at(middle);
    if (std::abs(slope) <= flat) return middle;
    (slope < 0.0 ? low : high) = middle;
  }
  return low;
}

}  // namespace alo
