// SPDX-License-Identifier: MIT
#include "solvers/smooth/newton_step.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

using tolerances::objective_rounding;
// A component of a direction below this share of the largest is rounding. It is a safeguard behind no_part of
// ReferenceFactor, which removes such components relative to the norms of the columns: any value between
// 1e-14 and 1e-10 serves (tests pass up to 1e-8). Larger ones lose small parts of a dependence, and
// predictions would move along it.
constexpr double direction_rounding = 1e-11;
// The gain promised along a direction without bound must exceed this share of the objective. A slope along a
// dependence is a cancelled sum; at a tenth its rounding would lead away without end, at ten times a flat
// valley is left 1e-11 above its bottom.
constexpr double flat_gain = 1e-12;
// A step that promises less than the first share of the objective is judged by the norm of the gradient,
// which must fall to the second share: objectives, rounded by 1e-14, then have fewer than five digits of the
// gain, but gradients are rounded relative to themselves. Any first share between 1e-11 and 1e-7 serves.
constexpr double far_share = 1e-9;
constexpr double descent_share = 0.5;
// Safeguards: halvings or doublings of a step (2^50 = 1e15, beyond which a step is rounding), and rounds in
// which further members are led to zero.
constexpr int most_halvings = 50;
constexpr int most_bends = 30;
// A length is known when its bracket is down to some epsilon.
constexpr double length_rounding = 1e-15;
// A member's value below this share of the largest value is zero: the rounding of a step that should have
// ended at zero. At a tenth such members block steps; at ten times coefficients 1e-12 of the largest are
// dropped, and join again if they belong.
constexpr double zero_share = 1e-13;

}  // namespace

bool NewtonStep::take(const Vector& descent) {
  const Vector straight = factor_.direction(face_, descent);
  // Near the minimum the differences of objectives are rounding.
  const bool far = descent.dot(straight) > far_share * face_.magnitude;
  if (factor_.is_raised() && far) return careful(descent, straight);
  const std::vector<char> dropped_before = face_.dropped;
  const Vector bent = bend(descent, straight);
  Vector values = face_.values + bent;
  for (const Index m : face_.dropped_members()) values[m] = 0.0;
  SignedFace::Trial trial = face_.evaluate(std::move(values));
  // Armijo's condition: a step across a kink of the loss's derivative may end as high as it began.
  const double gain = tolerances::sufficient_decrease * std::max(0.0, descent.dot(bent));
  const bool lower = trial.objective <= face_.objective - gain + objective_rounding * face_.magnitude;
  if (lower || !far) {
    const Vector before = face_.values;
    const bool keep_pairs = face_.dropped == dropped_before;
    face_.move_to(std::move(trial));
    if (lower || face_.descent().norm() <= descent_share * descent.norm()) {
      accept(descent, before, keep_pairs);
      return true;
    }
    face_.move_to(face_.evaluate(before));
  }
  face_.dropped = dropped_before;
  return careful(descent, straight);
}

Vector NewtonStep::bend(const Vector& descent, Vector step) {
  std::vector<Index> held = face_.dropped_members();
  for (int bend = 0; bend < most_bends; ++bend) {
    const std::size_t before = held.size();
    for (Index m = 0; m < face_.size(); ++m) {
      const double sign = face_.sign(m);
      if (sign == 0.0 || face_.is_dropped(m) || sign * (face_.values[m] + step[m]) > 0.0) continue;
      face_.drop(m);
      held.push_back(m);
    }
    if (held.size() == before) break;
    Vector values(static_cast<Index>(held.size()));
    for (std::size_t k = 0; k < held.size(); ++k) values[static_cast<Index>(k)] = -face_.values[held[k]];
    step = factor_.solve_held(descent, held, values);
  }
  return step;
}

void NewtonStep::accept(const Vector& descent_before, const Vector& values_before, bool keep_pairs) {
  factor_.point_moved(face_);
  for (const Index m : face_.dropped_members()) face_.place(face_.member(m)) = SignedFace::Place::outside;
  if (keep_pairs) {
    factor_.pairs().add(face_.values - values_before, descent_before - face_.descent());
  } else {
    factor_.pairs().clear();
  }
}

double NewtonStep::slope_along(const Vector& step, const Vector& move, double length) const {
  const Index outputs = face_.outputs();
  const Vector derivative =
      face_.problem->loss().derivative(face_.predictor + length * move, face_.problem->data().response);
  double sum = face_.weights.dot(
      (by_output(derivative, outputs).cwiseProduct(by_output(move, outputs))).rowwise().sum());
  for (Index m = 0; m < face_.size(); ++m) {
    const Index j = face_.member(m).column;
    const double value = face_.values[m] + length * step[m];
    sum += (face_.absolute_of(j) * face_.sign(m) + face_.square_of(j) * value) * step[m];
  }
  return sum;
}

double NewtonStep::best_length(const Vector& step, double reach) const {
  const Vector move = face_.evaluate(face_.values + step).predictor - face_.predictor;
  struct End {
    double length;
    double slope;
  };
  const auto end_at = [&](double length) { return End{length, slope_along(step, move, length)}; };
  End low = end_at(0.0);
  End high = end_at(std::min(reach, 1.0));
  for (int doubling = 0; doubling < most_halvings && high.slope < 0.0; ++doubling) {
    if (high.length >= reach) return reach;
    low = high;
    high = end_at(std::min(2.0 * high.length, reach));
  }
  // Secants, alternating with bisection, because kinks of the derivative slow down secants alone.
  for (int k = 0; k < 2 * most_halvings && high.length - low.length > length_rounding * high.length; ++k) {
    const double share = low.slope / (low.slope - high.slope);
    const bool secant = k % 2 == 0 && share > 0.0 && share < 1.0;
    const End next = end_at(low.length + (secant ? share : 0.5) * (high.length - low.length));
    if (next.slope == 0.0) return next.length;
    (next.slope < 0.0 ? low : high) = next;
  }
  return high.length;
}

Vector NewtonStep::drop_blocked(const Vector& descent, Vector step) {
  const double nothing = zero_share * face_.values.lpNorm<Eigen::Infinity>();
  for (bool left = true; left;) {
    left = false;
    for (Index m = 0; m < face_.size(); ++m) {
      const double sign = face_.sign(m);
      if (sign == 0.0 || face_.is_dropped(m) || sign * step[m] > 0.0) continue;
      if (std::abs(face_.values[m]) > nothing) continue;
      face_.drop(m);
      face_.place(face_.member(m)) = SignedFace::Place::outside;
      left = true;
    }
    if (!left) break;
    factor_.pairs().clear();
    Vector rest = descent;
    for (const Index m : face_.dropped_members()) rest[m] = 0.0;
    step = factor_.direction(face_, rest);
  }
  return step;
}

double NewtonStep::reach(const Vector& step, double longest) const {
  double reach = longest;
  for (Index m = 0; m < face_.size(); ++m) {
    const double sign = face_.sign(m);
    if (sign == 0.0 || face_.is_dropped(m) || sign * step[m] >= 0.0) continue;
    reach = std::min(reach, -face_.values[m] / step[m]);
  }
  return reach;
}

SignedFace::Trial NewtonStep::trial_at(const Vector& step, double length) {
  Vector values = face_.values + length * step;
  for (Index m = 0; m < face_.size(); ++m) {
    const double sign = face_.sign(m);
    if (sign == 0.0 || (!face_.is_dropped(m) && sign * values[m] > 0.0)) continue;
    values[m] = 0.0;
    face_.drop(m);
  }
  return face_.evaluate(std::move(values));
}

bool NewtonStep::careful(const Vector& descent, Vector step) {
  step = drop_blocked(descent, std::move(step));
  const double farthest = reach(step, factor_.is_raised() ? infinity : 1.0);
  // The step is halved as long as that lowers the objective, because the first point below the objective may
  // be on the other side of the minimum.
  const std::vector<char> dropped_before = face_.dropped;
  std::optional<SignedFace::Trial> best;
  std::vector<char> dropped_at_best;
  double length = factor_.is_raised() ? best_length(step, farthest) : farthest;
  for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
    face_.dropped = dropped_before;
    SignedFace::Trial trial = trial_at(step, length);
    // A member that leaves is progress, even if the objective falls by less than rounding.
    const bool leaves = halving == 0 && face_.dropped != dropped_before &&
                        trial.objective <= face_.objective + objective_rounding * face_.magnitude;
    if (leaves || trial.objective < (best ? best->objective : face_.objective)) {
      best = std::move(trial);
      dropped_at_best = face_.dropped;
    } else if (best) {
      break;
    }
  }
  face_.dropped = best ? dropped_at_best : dropped_before;
  if (!best) return false;
  const Vector before = face_.values;
  face_.move_to(std::move(*best));
  accept(descent, before, face_.dropped == dropped_before);
  return true;
}

NewtonStep::Crossing NewtonStep::first_crossing(const Vector& direction) const {
  Crossing first{-1, infinity};
  for (Index m = 0; m < face_.size(); ++m) {
    if (!(face_.sign(m) * direction[m] < 0.0)) continue;
    const double length = -face_.values[m] / direction[m];
    const bool tied = length == first.length;
    if (length > first.length || (tied && std::abs(direction[m]) <= std::abs(direction[first.member]))) {
      continue;
    }
    first = {m, length};
  }
  return first;
}

bool NewtonStep::follow(Vector direction) {
  // Components that are rounding are set to zero, so that they cannot seem to change the sign of a member.
  const double least = direction_rounding * direction.lpNorm<Eigen::Infinity>();
  direction = (direction.array().abs() > least).select(direction, 0.0).eval();
  for (const Index m : face_.dropped_members()) {
    if (direction[m] != 0.0) return false;
  }
  const Vector descent = face_.descent();
  if (descent.dot(direction) < 0.0) direction = -direction;
  const auto trial_along = [&](double length, Index leaves) {
    Vector values = face_.values + length * direction;
    for (Index m = 0; m < face_.size(); ++m) {
      if (m == leaves || face_.sign(m) * values[m] < 0.0) values[m] = 0.0;
    }
    return face_.evaluate(std::move(values));
  };
  // Only one member leaves, even if others are zero there too: without it the rest are independent.
  const Crossing first = first_crossing(direction);
  std::optional<SignedFace::Trial> trial;
  if (first.member >= 0) trial = trial_along(first.length, first.member);
  const bool leaves = trial && trial->objective <= face_.objective + objective_rounding * face_.magnitude;
  if (leaves) {
    face_.drop(first.member);
  } else {
    // Where no change of sign bounds the direction, a slope that is only rounding would lead to infinity.
    const double size = direction.lpNorm<Eigen::Infinity>();
    const double gain = descent.dot(direction) * (1.0 + face_.values.lpNorm<Eigen::Infinity>()) / size;
    if (first.member < 0 && !(gain > flat_gain * face_.magnitude)) return false;
    trial = trial_along(best_length(direction, first.length), -1);
    if (!(trial->objective < face_.objective)) return false;
  }
  const Vector before = face_.values;
  face_.move_to(std::move(*trial));
  accept(descent, before, false);
  return true;
}

bool NewtonStep::exchange() {
  const std::size_t before = face_.dropped_members().size();
  const Matrix& dependences = factor_.dependences();
  for (Index k = 0; k < dependences.cols(); ++k) follow(dependences.col(k));
  return face_.dropped_members().size() > before;
}

bool NewtonStep::take_apart() {
  const Matrix parts = ReferenceFactor::parts_of_step(face_);
  bool any = false;
  for (Index k = 0; k < parts.cols(); ++k) any = follow(parts.col(k)) || any;
  return any;
}

}  // namespace alo
