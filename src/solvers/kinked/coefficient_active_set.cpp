// SPDX-License-Identifier: MIT
#include "solvers/kinked/coefficient_active_set.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Beyond the end of its place by this much, relative to the size of such numbers, a row has outgrown it.
constexpr double outgrown = 1e-11;
constexpr int patience_at_first = 4;
constexpr int patience_of_springs = 3;
// How springs become stiffer, and from when on more rows may be bound than there are coefficients.
constexpr double stiffening = 4.0;
constexpr int most_targets = 30;
constexpr int settled_targets = 8;
constexpr int most_newton_steps = 60;
// A slope along a step this much smaller than at its begin is that of a minimum.
constexpr double flat_share = 0.1;
constexpr int most_cuts = 50;
// The most that a step may change linear predictors, relative to them.
constexpr double longest_change = 10.0;
// Of the squares of bound rows, where a direction has no curvature.
constexpr double smallest_ridge = 1e-12;
constexpr double more_ridge = 1e3;

}  // namespace

CoefficientActiveSet::CoefficientActiveSet(Matrix rows, RowPlaces kinks, Vector offset, Vector penalized,
                                           Vector linear)
    : rows_(std::move(rows)),
      kinks_(std::move(kinks)),
      offset_(std::move(offset)),
      penalized_(std::move(penalized)),
      linear_(std::move(linear)) {
  start_from(Vector::Zero(penalized_.size()), Vector::Zero(kinks_.size()));
}

void CoefficientActiveSet::start_from(const Vector& coefficients, const Vector& gradient) {
  coefficients_ = coefficients;
  gradient_ = gradient;
  refresh();
  for (Index i = 0; i < kinks_.size(); ++i) {
    kinks_.set_place(i, kinks_.place_of_gradient(i, gradient_[i], predictor_[i]));
  }
}

void CoefficientActiveSet::restore(State state) {
  coefficients_ = std::move(state.coefficients);
  gradient_ = std::move(state.gradient);
  kinks_ = std::move(state.kinks);
  refresh();
}

void CoefficientActiveSet::refresh() {
  predictor_ = offset_ + blas::transpose_multiply_vector(rows_, coefficients_);
}

bool CoefficientActiveSet::solve_pinned(double lambda) {
  lambda_ = lambda;
  return pivot_to_solution(patience_at_first);
}

bool CoefficientActiveSet::solve(double lambda, Index bound) {
  lambda_ = lambda;
  double sigma = first_stiffness(bound);
  for (int round = 0; round < most_targets; ++round) {
    minimise_with_springs(sigma);
    sigma *= stiffening;
    const auto pinned = static_cast<Index>(kinks_.pinned().size());
    if (pinned > coefficients_.size() && round < settled_targets) continue;
    State reached = state();
    if (pivot_to_solution(patience_of_springs)) return true;
    restore(std::move(reached));
  }
  return false;
}

void CoefficientActiveSet::approach(double lambda, Index bound) {
  lambda_ = lambda;
  minimise_with_springs(first_stiffness(bound));
}

// With targets in the middle a spring binds up to half the range of gradients over sigma from a kink.
double CoefficientActiveSet::first_stiffness(Index bound) const {
  std::vector<double> distances;
  for (Index i = 0; i < kinks_.size(); ++i) {
    if (kinks_.is_idle(i)) continue;
    distances.push_back(kinks_.distance_to_kink(i, predictor_[i]) / kinks_.gradient_range(i));
  }
  if (distances.empty()) return 1.0;
  const auto count = static_cast<Index>(distances.size());
  const auto farthest = distances.begin() + std::min(bound, count - 1);
  std::nth_element(distances.begin(), farthest, distances.end());
  const double rounding = outgrown * (1.0 + predictor_.lpNorm<Eigen::Infinity>());
  return 0.5 / std::max(*farthest, rounding);
}

bool CoefficientActiveSet::place_by_springs(double sigma, const Vector& targets) {
  bool changed = false;
  for (Index i = 0; i < kinks_.size(); ++i) {
    const Index place = kinks_.place_of_proximal(i, predictor_[i], targets[i], sigma, gradient_[i]);
    changed = changed || place != kinks_.place(i);
    kinks_.set_place(i, place);
  }
  return changed;
}

void CoefficientActiveSet::minimise_with_springs(double sigma) {
  const Vector targets = gradient_;
  place_by_springs(sigma, targets);
  for (int count = 0; count < most_newton_steps; ++count) {
    Vector step = newton_step(sigma);
    Vector change = blas::transpose_multiply_vector(rows_, step);
    // Where a direction has next to no curvature a step has no natural length.
    const double longest = longest_change * (1.0 + predictor_.lpNorm<Eigen::Infinity>());
    const double share = std::min(1.0, longest / change.lpNorm<Eigen::Infinity>());
    if (share < 1.0) {
      step *= share;
      change *= share;
    }
    const double length = best_length(step, change, sigma, targets);
    if (length == 0.0) break;
    coefficients_ += length * step;
    predictor_ += length * change;
    if (!place_by_springs(sigma, targets) && share * length == 1.0) break;
  }
}

Vector CoefficientActiveSet::newton_step(double sigma) const {
  const Matrix bound = rows_(Eigen::all, kinks_.pinned());
  Matrix squares = Matrix::Zero(coefficients_.size(), coefficients_.size());
  blas::add_product_transposed(squares, sigma, bound, bound);
  squares.diagonal() += lambda_ * penalized_;
  const Vector slope =
      lambda_ * penalized_.cwiseProduct(coefficients_) + linear_ + blas::multiply_vector(rows_, gradient_);
  const double size = std::max(squares.diagonal().lpNorm<Eigen::Infinity>(), lambda_);
  for (double ridge = 0.0; ridge <= size; ridge = std::max(smallest_ridge * size, more_ridge * ridge)) {
    Matrix system = squares;
    system.diagonal().array() += ridge;
    if (const auto factor = blas::cholesky(std::move(system))) {
      return -blas::solve_lower_transposed(*factor, blas::solve_lower(*factor, slope));
    }
  }
  return Vector::Zero(coefficients_.size());
}

double CoefficientActiveSet::descent_at(const Vector& step, const Vector& change, double sigma,
                                        const Vector& targets, double length) const {
  double slope =
      linear_.dot(step) + lambda_ * penalized_.cwiseProduct(step).dot(coefficients_ + length * step);
  for (Index i = 0; i < kinks_.size(); ++i) {
    double gradient = 0.0;
    kinks_.place_of_proximal(i, predictor_[i] + length * change[i], targets[i], sigma, gradient);
    slope += gradient * change[i];
  }
  return slope;
}

// Where the slope along a step is a tenth of that at its begin, or less.
double CoefficientActiveSet::best_length(const Vector& step, const Vector& change, double sigma,
                                         const Vector& targets) const {
  const double begin = descent_at(step, change, sigma, targets, 0.0);
  const double rounding = 1e-15 * (gradient_.lpNorm<1>() * change.lpNorm<Eigen::Infinity>() +
                                   linear_.cwiseAbs().dot(step.cwiseAbs()));
  if (!(begin < -rounding)) return 0.0;
  const double flat = flat_share * -begin;
  if (descent_at(step, change, sigma, targets, 1.0) <= flat) return 1.0;
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < most_cuts; ++k) {
    const double middle = 0.5 * (low + high);
    const double slope = descent_at(step, change, sigma, targets, middle);
    if (std::abs(slope) <= flat) return middle;
    (slope < 0.0 ? low : high) = middle;
  }
  return low;
}

// The first move without another is followed by one with products computed anew.
bool CoefficientActiveSet::pivot_to_solution(int patience) {
  Index fewest = kinks_.size() + 1;
  bool settled = false;
  for (int idle = 0; idle < patience;) {
    const std::vector<Index> pinned = kinks_.pinned();
    const PinnedFace face(rows_(Eigen::all, pinned), lambda_ * penalized_);
    if (!move_to_kinks(face, pinned)) return false;
    std::vector<char> aside(static_cast<std::size_t>(kinks_.size()), 0);
    if (face.chosen().size() < pinned.size()) {
      for (const Index i : pinned) aside[static_cast<std::size_t>(i)] = 1;
      for (const Index k : face.chosen())
        aside[static_cast<std::size_t>(pinned[static_cast<std::size_t>(k)])] = 0;
    }
    Index moves = move_outgrown(aside);
    if (moves == 0) {
      if (!move_to_kinks(face, pinned)) return false;
      moves = move_outgrown(aside);
      settled = moves == 0;
    }
    if (settled) break;
    idle = moves < fewest ? 0 : idle + 1;
    fewest = std::min(fewest, moves);
  }
  if (settled) leave_ends();
  return settled;
}

bool CoefficientActiveSet::move_to_kinks(const PinnedFace& face, const std::vector<Index>& pinned) {
  for (Index i = 0; i < kinks_.size(); ++i) {
    if (!kinks_.is_pinned(i)) gradient_[i] = kinks_.slope(i);
  }
  const Vector slope =
      -(lambda_ * penalized_.cwiseProduct(coefficients_) + linear_ + blas::multiply_vector(rows_, gradient_));
  Vector meeting(static_cast<Index>(face.chosen().size()));
  const auto row = [&](Index k) {
    return pinned[static_cast<std::size_t>(face.chosen()[static_cast<std::size_t>(k)])];
  };
  for (Index k = 0; k < meeting.size(); ++k) meeting[k] = kinks_.kink(row(k)) - predictor_[row(k)];
  const auto move = face.solve(slope, meeting);
  if (!move) return false;
  coefficients_ += move->coefficients;
  for (Index k = 0; k < meeting.size(); ++k) gradient_[row(k)] += move->gradient[k];
  refresh();
  return true;
}

Index CoefficientActiveSet::move_outgrown(const std::vector<char>& aside) {
  Index moves = 0;
  const double slack = outgrown * (1.0 + predictor_.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < kinks_.size(); ++i) {
    const Index place = kinks_.place(i);
    Index next = place;
    if (kinks_.is_pinned(i)) {
      const double gradient_slack = outgrown * kinks_.gradient_range(i);
      if (gradient_[i] > kinks_.high_gradient(i) + gradient_slack) next = place + 1;
      if (gradient_[i] < kinks_.low_gradient(i) - gradient_slack) next = place - 1;
      const double off = predictor_[i] - kinks_.kink(i);
      const bool is_aside = aside[static_cast<std::size_t>(i)] != 0;
      if (is_aside && std::abs(off) > 100.0 * slack) next = off > 0.0 ? place + 1 : place - 1;
    } else {
      const Index stride = kinks_.is_idle(i) ? 2 : 1;
      if (predictor_[i] > kinks_.high_predictor(i) + slack) next = place + stride;
      if (predictor_[i] < kinks_.low_predictor(i) - slack) next = place - stride;
    }
    if (next == place) continue;
    kinks_.set_place(i, next);
    ++moves;
  }
  return moves;
}

// A gradient that reached the end of what it may be is the slope there.
void CoefficientActiveSet::leave_ends() {
  for (const Index i : kinks_.pinned()) {
    const double slack = outgrown * kinks_.gradient_range(i);
    if (gradient_[i] >= kinks_.high_gradient(i) - slack) {
      kinks_.set_place(i, kinks_.place(i) + 1);
    } else if (gradient_[i] <= kinks_.low_gradient(i) + slack) {
      kinks_.set_place(i, kinks_.place(i) - 1);
    } else {
      continue;
    }
    gradient_[i] = kinks_.slope(i);
  }
}

}  // namespace alo
