// SPDX-License-Identifier: MIT
#include "solvers/lasso_knots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A pivot below this share of its column's squared norm: the column depends on the active ones.
constexpr double dependence_tolerance = 1e-10;
// Gradients this close to their threshold, relative to it and to the largest gradient, are there.
constexpr double relative_slack = 1e-12;
constexpr double rounding_slack = 1e-14;
// Up to this many columns, and no more than rows, all of them enter the tableau at once.
constexpr Index whole_tableau = 4000;
// With a working set, thresholds fall by at most this factor between looks at the other columns.
constexpr double longest_step = 0.85;
constexpr double first_share = 0.7;
constexpr int steps_ahead = 3;
constexpr int correction_rounds = 50;
constexpr Index leverage_changes_at_once = 64;
// The leverages sum to the number of active and free directions; when they are off by more
// than this share they are computed anew.
constexpr double leverage_drift = 1e-10;

}  // namespace

LassoKnots::LassoKnots(const Problem& problem, const VectorView& weights, bool carry_leverages)
    : problem_(problem),
      free_(problem, weights),
      root_weights_(weights.cwiseSqrt()),
      raw_target_(root_weights_.cwiseProduct(problem.data().response - problem.data().offset)),
      factors_(problem.penalty().separable(problem.columns())->absolute(free_.penalized())),
      carry_leverages_(carry_leverages),
      coefficients_(Vector::Zero(problem.columns())) {
  Matrix off = raw_target_;
  free_.project_out(off);
  target_ = off;
  const Design& design = problem.design();
  const Vector norms = design.weighted_square_norms(weights)(free_.penalized());
  if (norms.size() > 0) unit_ = norms.cwiseQuotient(factors_.cwiseAbs2()).mean();
  if (!(unit_ > 0.0)) unit_ = 1.0;
  const bool plain_view =
      design.center().size() == 0 && (design.scale().size() == 0 || (design.scale().array() == 1.0).all());
  uses_design_ = !design.is_sparse() && plain_view && free_.empty() && (weights.array() == 1.0).all() &&
                 (factors_.array() == 1.0).all() && factors_.size() == design.columns() &&
                 design.columns() <= std::min(design.rows(), whole_tableau);
  restart();
}

void LassoKnots::restart() {
  const Index candidates = factors_.size();
  columns_.clear();
  signs_.clear();
  is_active_.clear();
  bars_.clear();
  in_working_set_.assign(static_cast<std::size_t>(candidates), 0);
  block_.resize(problem_.rows(), 0);
  tableau_ = {};
  waiting_signs_.clear();
  if (carry_leverages_) leverages_ = free_.leverages();
  for (Vector* vector : {&state_, &rate_, &threshold_, &falling_}) vector->resize(0);
  update_gradient();
  current_ = candidates == 0 ? 0.0 : gradient_.lpNorm<Eigen::Infinity>();
  first_ = previous_ = current_;
  previous_gradient_ = gradient_;
  std::vector<Index> first;
  for (Index j = 0; j < candidates; ++j) {
    const bool whole = candidates <= std::min(problem_.rows(), whole_tableau);
    if (whole || std::abs(gradient_[j]) >= first_share * current_) first.push_back(j);
  }
  join(first);
}

Eigen::Map<const Matrix> LassoKnots::block() const {
  const Matrix& values = uses_design_ ? problem_.design().dense_values() : block_;
  return {values.data(), values.rows(), size()};
}

void LassoKnots::join(const std::vector<Index>& candidates) {
  const Index before = size();
  const auto added = static_cast<Index>(candidates.size());
  if (added == 0) return;
  apply_leverage_changes();
  Matrix fresh;
  if (!uses_design_) {
    std::vector<Index> positions;
    for (const Index c : candidates) positions.push_back(free_.penalized()[static_cast<std::size_t>(c)]);
    fresh = root_weights_.asDiagonal() * problem_.design().gather(positions);
    fresh.array().rowwise() /= factors_(candidates).transpose().array();
    free_.project_out(fresh);
  }
  const MatrixView joining = uses_design_ ? problem_.design().dense_values() : fresh;
  const Matrix between = tableau_.extend(blas::transpose_multiply(block(), joining) / unit_,
                                         blas::gram(joining) / unit_, is_active_);
  if (!uses_design_) {
    if (block_.cols() < before + added) {
      block_.conservativeResize(problem_.rows(), std::max(before + added, before + before / 2));
    }
    block_.middleCols(before, added) = fresh;
  }
  Vector pull = Vector::Zero(before);
  for (Index k = 0; k < before; ++k) pull[k] = falling_[k] * signs_[static_cast<std::size_t>(k)];
  for (Vector* vector : {&state_, &rate_, &threshold_, &falling_}) vector->conservativeResize(before + added);
  state_.tail(added) = gradient_(candidates);
  rate_.tail(added) = -between.transpose() * pull;
  threshold_.tail(added).setConstant(current_);
  falling_.tail(added).setOnes();
  for (const Index c : candidates) {
    columns_.push_back(c);
    in_working_set_[static_cast<std::size_t>(c)] = 1;
    signs_.push_back(0.0);
    is_active_.push_back(0);
    bars_.push_back(Bar::none);
  }
}

void LassoKnots::set_rates(Index only) {
  brings_back_one_ = only >= 0;
  falling_.setConstant(only < 0 ? 1.0 : 0.0);
  if (only >= 0) falling_[only] = 1.0;
  Vector pull(size());
  for (Index k = 0; k < size(); ++k) pull[k] = falling_[k] * signs_[static_cast<std::size_t>(k)];
  rate_ = -tableau_.multiply(pull);
}

LassoKnots::Knot LassoKnots::next_knot() const {
  Knot knot{infinity, -1, 0.0};
  for (Index k = 0; k < size(); ++k) {
    const double z = state_[k];
    const double q = rate_[k];
    if (is_active_[static_cast<std::size_t>(k)] != 0) {
      if (signs_[static_cast<std::size_t>(k)] * q < 0.0 && -z / q < knot.distance) knot = {-z / q, k, 0.0};
    } else if (bars_[static_cast<std::size_t>(k)] == Bar::none) {
      const double t = threshold_[k];
      const double up = falling_[k] + q;
      const double down = falling_[k] - q;
      if (up > 0.0 && t - z < knot.distance * up) knot = {(t - z) / up, k, 1.0};
      if (down > 0.0 && t + z < knot.distance * down) knot = {(t + z) / down, k, -1.0};
    }
  }
  knot.distance = std::max(knot.distance, 0.0);
  return knot;
}

void LassoKnots::advance(double distance) {
  state_ += distance * rate_;
  threshold_ -= distance * falling_;
}

void LassoKnots::pivot(const Knot& knot) {
  const Index k = knot.at;
  const auto at = static_cast<std::size_t>(k);
  const Vector u = tableau_.column(k);
  const double d = u[k];
  const bool enters = knot.sign != 0.0;
  if (enters && !(d > dependence_tolerance * block().col(k).squaredNorm() / unit_)) {
    if (!brings_back_one_ || !exchange(k, knot.sign, u)) bars_[at] = Bar::depends;
    return;
  }
  const double sign = enters ? knot.sign : signs_[at];
  const double w = (enters ? sign * falling_[k] + rate_[k] : rate_[k]) / d;
  const double beta = (enters ? state_[k] - sign * threshold_[k] : state_[k]) / d;
  rate_ -= u * w;
  state_ -= u * beta;
  rate_[k] = enters ? w : -sign * falling_[k] - w;
  state_[k] = enters ? beta : sign * threshold_[k] - beta;
  if (carry_leverages_) note_leverage_change(k, u, enters);
  tableau_.pivot(k, u, enters);
  is_active_[at] = enters ? 1 : 0;
  signs_[at] = enters ? sign : 0.0;
  // What depended on the active columns may not depend on those that are left.
  if (!enters) std::replace(bars_.begin(), bars_.end(), Bar::depends, Bar::none);
}

// A column beyond its threshold that depends on the active ones: moved along the dependence,
// which changes no gradient, it takes the place of the first that reaches zero.
bool LassoKnots::exchange(Index k, double sign, const Vector& u) {
  Knot leaving{infinity, -1, 0.0};
  for (Index i = 0; i < size(); ++i) {
    const double active_sign = signs_[static_cast<std::size_t>(i)];
    const double change = -sign * u[i];
    if (active_sign * change < 0.0 && -state_[i] / change < leaving.distance) {
      leaving = {-state_[i] / change, i, 0.0};
    }
  }
  if (leaving.at < 0) return false;
  for (Index i = 0; i < size(); ++i) {
    if (is_active_[static_cast<std::size_t>(i)] != 0) state_[i] -= sign * leaving.distance * u[i];
  }
  state_[leaving.at] = 0.0;
  pivot(leaving);
  pivot({0.0, k, sign});
  if (is_active_[static_cast<std::size_t>(k)] == 0) return false;
  state_[k] = sign * leaving.distance;
  return true;
}

void LassoKnots::lower(double distance) {
  // Knots that coincide could be visited in a circle. Then the rest of the way is taken without
  // them, and the certificate, which the fit misses, sends it to another solver.
  const Index patience = 1000 + 20 * (problem_.rows() + size());
  for (Index visited = 0; visited < patience; ++visited) {
    const Knot knot = next_knot();
    if (knot.distance >= distance) break;
    advance(knot.distance);
    distance -= knot.distance;
    pivot(knot);
  }
  advance(distance);
}

void LassoKnots::update_gradient() {
  Vector values = Vector::Zero(size());
  for (Index k = 0; k < size(); ++k) {
    if (is_active_[static_cast<std::size_t>(k)] != 0) values[k] = state_[k];
  }
  const Vector residual = target_ - blas::multiply_vector(block(), values);
  const Vector slopes = problem_.design().transpose_multiply(root_weights_.cwiseProduct(residual));
  gradient_ = slopes(free_.penalized()).cwiseQuotient(factors_) / unit_;
}

// The gradient computed from the data replaces the one carried along; what it leaves of
// gradient = threshold on the active set is taken out by one solve with the tableau.
void LassoKnots::refine() {
  Vector error = Vector::Zero(size());
  for (Index k = 0; k < size(); ++k) {
    const double exact = gradient_[columns_[static_cast<std::size_t>(k)]];
    if (is_active_[static_cast<std::size_t>(k)] != 0) {
      error[k] = exact - signs_[static_cast<std::size_t>(k)] * threshold_[k];
    } else {
      state_[k] = exact;
    }
  }
  if (error.lpNorm<Eigen::Infinity>() > relative_slack * current_) {
    state_ -= tableau_.multiply(error);
    update_gradient();
  }
}

bool LassoKnots::admit_violators() {
  const double bound = current_ * (1.0 + relative_slack) + rounding_slack * previous_;
  std::vector<Index> late;
  for (Index j = 0; j < gradient_.size(); ++j) {
    if (in_working_set_[static_cast<std::size_t>(j)] == 0 && std::abs(gradient_[j]) > bound) {
      late.push_back(j);
    }
  }
  if (late.empty()) return false;
  const Index before = size();
  join(late);
  std::fill(bars_.begin() + before, bars_.end(), Bar::waits);
  for (Index k = before; k < size(); ++k) {
    bars_[static_cast<std::size_t>(k)] = Bar::none;
    const double excess = std::abs(state_[k]) - current_;
    if (excess <= 0.0) continue;
    threshold_[k] += excess;
    set_rates(k);
    lower(excess);
    threshold_[k] = current_;
  }
  update_gradient();
  return true;
}

// Joins every column that, going on as since the last look, would reach its threshold within
// a few steps of the same length, once one would within the next.
void LassoKnots::join_ahead() {
  if (size() == gradient_.size() || !(previous_ > current_)) return;
  const double ratio = current_ / previous_;
  const auto reaches = [&](Index j, double threshold) {
    const double slope = (gradient_[j] - previous_gradient_[j]) / (previous_ - current_);
    return std::abs(gradient_[j] + slope * (current_ - threshold)) >= threshold;
  };
  std::vector<Index> near;
  bool soon = false;
  for (Index j = 0; j < gradient_.size(); ++j) {
    if (in_working_set_[static_cast<std::size_t>(j)] != 0) continue;
    if (reaches(j, current_ * std::pow(ratio, steps_ahead))) near.push_back(j);
    soon = soon || reaches(j, current_ * ratio);
  }
  if (soon) join(near);
}

void LassoKnots::note_leverage_change(Index k, const Vector& u, bool enters) {
  if (waiting_.rows() != size()) waiting_.resize(size(), leverage_changes_at_once);
  auto direction = waiting_.col(static_cast<Index>(waiting_signs_.size()));
  for (Index i = 0; i < size(); ++i) {
    direction[i] = is_active_[static_cast<std::size_t>(i)] != 0 ? -u[i] : 0.0;
  }
  if (enters) direction[k] = 1.0;
  direction /= std::sqrt(std::abs(u[k]) * unit_);
  waiting_signs_.push_back(enters ? 1.0 : -1.0);
  if (static_cast<Index>(waiting_signs_.size()) == leverage_changes_at_once) apply_leverage_changes();
}

void LassoKnots::apply_leverage_changes() {
  const auto count = static_cast<Index>(waiting_signs_.size());
  if (count == 0) return;
  std::vector<Index> involved;
  for (Index i = 0; i < size(); ++i) {
    if ((waiting_.row(i).head(count).array() != 0.0).any()) involved.push_back(i);
  }
  const Matrix directions =
      blas::multiply(block()(Eigen::all, involved), waiting_(involved, Eigen::seqN(0, count)));
  leverages_ += directions.cwiseAbs2() * Eigen::Map<const Vector>(waiting_signs_.data(), count);
  waiting_signs_.clear();
}

void LassoKnots::rebuild_leverages() {
  std::vector<Index> active;
  for (Index k = 0; k < size(); ++k) {
    if (is_active_[static_cast<std::size_t>(k)] != 0) active.push_back(k);
  }
  const Matrix basis = blas::orthonormal_basis(block()(Eigen::all, active), dependence_tolerance);
  leverages_ = free_.leverages() + basis.rowwise().squaredNorm();
}

void LassoKnots::step_to(double threshold) {
  previous_gradient_ = gradient_;
  previous_ = current_;
  set_rates(-1);
  lower(current_ - threshold);
  current_ = threshold;
  threshold_.setConstant(threshold);
  update_gradient();
  refine();
  for (int round = 0; round < correction_rounds && admit_violators(); ++round) refine();
  join_ahead();
}

void LassoKnots::solve(double lambda) {
  const double wanted = lambda / unit_;
  const bool at_start = std::count(is_active_.begin(), is_active_.end(), 1) == 0;
  if (wanted > current_ && !at_start) restart();
  // The working set is complete long before thresholds are this small.
  const double smallest_look = 1e-9 * first_;
  const bool whole = size() == gradient_.size();
  // A path begins at the first knot itself, which rounding must not push it past.
  while (wanted < current_ * (1.0 - relative_slack)) {
    const bool looks = !whole && current_ > smallest_look;
    step_to(looks ? std::max(wanted, longest_step * current_) : wanted);
  }

  if (carry_leverages_) {
    apply_leverage_changes();
    const auto directions =
        static_cast<double>(std::count(is_active_.begin(), is_active_.end(), 1) + free_.rank());
    if (std::abs(leverages_.sum() - directions) > leverage_drift * (1.0 + directions)) rebuild_leverages();
  }

  coefficients_.setZero();
  std::vector<Index> active;
  for (Index k = 0; k < size(); ++k) {
    if (is_active_[static_cast<std::size_t>(k)] == 0) continue;
    const Index candidate = columns_[static_cast<std::size_t>(k)];
    active.push_back(free_.penalized()[static_cast<std::size_t>(candidate)]);
    coefficients_[active.back()] = state_[k] / factors_[candidate];
  }
  if (free_.empty()) return;
  const Vector fitted = problem_.design().multiply(active, coefficients_(active));
  free_.solve(raw_target_ - root_weights_.cwiseProduct(fitted), intercept_, coefficients_);
}

}  // namespace alo
