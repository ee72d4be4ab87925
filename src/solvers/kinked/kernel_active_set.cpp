// SPDX-License-Identifier: MIT
#include "solvers/kinked/kernel_active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <Eigen/QR>

#include "linalg/blas.hpp"
#include "linalg/select.hpp"

namespace alo {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
// Beyond the end of its place by this much, relative to the size of such numbers, a row has outgrown it.
constexpr double outgrown = 1e-11;
// Squared distance of a row from the span of the others, relative to its own square, that is rounding.
constexpr double dependence_tolerance = 1e-12;
constexpr double rank_tolerance = 1e-11;
// A distance to a kink, relative to linear predictors, that is rounding.
constexpr double touching_share = 1e-10;
constexpr int first_patience = 8;
constexpr int last_patience = 4;
// The augmented Lagrangian: how springs become stiffer.
constexpr double stiffening = 5.0;
constexpr int most_targets = 40;
constexpr int most_newton_steps = 100;
// A slope along a step this much smaller than at its begin is that of a minimum.
constexpr double flat_share = 0.1;
constexpr int most_doublings = 60;
constexpr int most_cuts = 60;

}  // namespace

KernelActiveSet::KernelActiveSet(Matrix kernel, Matrix free, RowPlaces rows, Vector offset)
    : kernel_(std::move(kernel)),
      free_(std::move(free)),
      rows_(std::move(rows)),
      offset_(std::move(offset)),
      aside_(static_cast<std::size_t>(rows_.size()), 0) {
  // F'g = 0 at the solution, so F F' may be added to K: pinned rows that only the unpenalised columns tell
  // apart are then independent in it.
  const double size = free_.squaredNorm();
  const double trace = kernel_.diagonal().sum();
  if (size > 0.0 && trace > 0.0) blas::add_product_transposed(kernel_, trace / size, free_, free_);
  start_from(Vector::Zero(rows_.size()), Vector::Zero(free_.cols()));
}

void KernelActiveSet::start_from(const Vector& gradient, const Vector& free_coefficients) {
  gradient_ = gradient;
  free_coefficients_ = free_coefficients;
  refresh();
  for (Index i = 0; i < rows_.size(); ++i) {
    rows_.set_place(i, rows_.place_of_gradient(i, gradient[i], predictor_[i]));
  }
}

void KernelActiveSet::refresh() {
  product_ = blas::multiply_vector(kernel_, gradient_);
  predictor_ = offset_ + free_ * free_coefficients_ - product_ / lambda_;
}

bool KernelActiveSet::solve(double lambda) {
  lambda_ = lambda;
  refresh();
  size_ = 1.0 + predictor_.lpNorm<Eigen::Infinity>();
  const State before{gradient_, free_coefficients_, rows_};
  if (pivot_to_solution(first_patience)) return true;
  gradient_ = before.gradient;
  free_coefficients_ = before.free_coefficients;
  rows_ = before.rows;
  refresh();
  return approach();
}

// The rows of the factor up to the first that is pinned no more stay; the others, and the new ones, follow.
void KernelActiveSet::settle_factor(double ridge) {
  std::fill(aside_.begin(), aside_.end(), char{0});
  std::size_t kept = 0;
  if (ridge == factor_ridge_) {
    while (kept < order_.size() && rows_.is_pinned(order_[kept])) ++kept;
  }
  std::vector<char> in_factor(aside_.size(), 0);
  for (std::size_t k = 0; k < kept; ++k) in_factor[static_cast<std::size_t>(order_[k])] = 1;
  std::vector<Index> joining;
  for (std::size_t k = kept; k < order_.size(); ++k) {
    if (!rows_.is_pinned(order_[k])) continue;
    joining.push_back(order_[k]);
    in_factor[static_cast<std::size_t>(order_[k])] = 1;
  }
  for (const Index i : rows_.pinned()) {
    if (in_factor[static_cast<std::size_t>(i)] == 0) joining.push_back(i);
  }
  order_.resize(kept);
  factor_.truncate(static_cast<Index>(kept));
  factor_ridge_ = ridge;
  if (joining.empty()) return;
  Matrix own = kernel_(joining, joining);
  own.diagonal().array() += ridge;
  if (factor_.append(kernel_(order_, joining), own, dependence_tolerance)) {
    order_.insert(order_.end(), joining.begin(), joining.end());
    return;
  }
  // Some depend on the others: one at a time.
  for (const Index i : joining) {
    const Vector cross = kernel_(order_, i);
    if (factor_.append(cross, kernel_(i, i) + ridge, dependence_tolerance)) {
      order_.push_back(i);
    } else {
      aside_[static_cast<std::size_t>(i)] = 1;
    }
  }
}

// With D the change of g, D_S what is missing to the slopes, and a ridge of lambda / sigma,
//
//     (K_VV + ridge) D_V - lambda F_V d = lambda (eta_V - v_V) - ridge (g_V - t_V) - K_VS D_S =: r,
//     F_V'D_V = -F'g - F_S'D_S =: m,
//
// eliminated by L L' = K_VV + ridge, P = L^-1 F_V:  lambda P'P d = m - P'L^-1 r.
std::optional<KernelActiveSet::Step> KernelActiveSet::step(double ridge, const Vector& targets) {
  settle_factor(ridge);
  Step step;
  step.gradient = Vector::Zero(rows_.size());
  step.product = Vector::Zero(rows_.size());
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_pinned(i) || gradient_[i] == rows_.slope(i)) continue;
    step.gradient[i] = rows_.slope(i) - gradient_[i];
    blas::add_multiple(step.product, step.gradient[i], kernel_.col(i));
  }
  const auto count = static_cast<Index>(order_.size());
  Vector right(count);
  for (Index k = 0; k < count; ++k) {
    const Index i = order_[static_cast<std::size_t>(k)];
    right[k] = lambda_ * (predictor_[i] - rows_.kink(i)) - step.product[i];
    if (ridge > 0.0) right[k] -= ridge * (gradient_[i] - targets[i]);
  }
  Vector solved = factor_.solve_lower(right);
  step.free_coefficients = Vector::Zero(free_.cols());
  if (free_.cols() > 0) {
    const Vector missing = -(free_.transpose() * (gradient_ + step.gradient));
    const Matrix reduced = factor_.solve_lower(free_(order_, Eigen::all));
    const Vector wanted = missing - reduced.transpose() * solved;
    Eigen::ColPivHouseholderQR<Matrix> system(free_.cols(), free_.cols());
    system.setThreshold(rank_tolerance);
    system.compute(reduced.transpose() * reduced);
    const Vector scaled = system.solve(wanted);
    const double rest = (reduced.transpose() * (reduced * scaled) - wanted).lpNorm<Eigen::Infinity>();
    // Not a number where no pinned row has anything in the unpenalised columns.
    if (count == 0 || !(rest <= 1e-9 * gradient_.lpNorm<1>())) {
      if (wanted.lpNorm<Eigen::Infinity>() > outgrown * (1.0 + gradient_.lpNorm<1>())) return std::nullopt;
    } else {
      step.free_coefficients = scaled / lambda_;
      solved += reduced * scaled;
    }
  }
  const Vector change = factor_.solve_lower_transposed(solved);
  for (Index k = 0; k < count; ++k) {
    const Index i = order_[static_cast<std::size_t>(k)];
    step.gradient[i] = change[k];
    blas::add_multiple(step.product, change[k], kernel_.col(i));
  }
  step.predictor = free_ * step.free_coefficients - step.product / lambda_;
  return step;
}

void KernelActiveSet::apply(const Step& step, double length) {
  for (Index i = 0; i < rows_.size(); ++i) {
    const bool arrives = length == 1.0 && step.gradient[i] != 0.0 && !rows_.is_pinned(i);
    gradient_[i] = arrives ? rows_.slope(i) : gradient_[i] + length * step.gradient[i];
  }
  free_coefficients_ += length * step.free_coefficients;
  product_ += length * step.product;
  predictor_ += length * step.predictor;
}

bool KernelActiveSet::pivot_to_solution(int patience) {
  Index fewest = rows_.size() + 1;
  for (int idle = 0; idle < patience;) {
    const auto move = step(0.0, {});
    if (!move) return false;
    apply(*move, 1.0);
    const Index moves = move_outgrown();
    if (moves == 0) return refine();
    idle = moves < fewest ? 0 : idle + 1;
    fewest = std::min(fewest, moves);
  }
  return false;
}

Index KernelActiveSet::move_outgrown() {
  Index moves = 0;
  const double slack = outgrown * size_;
  for (Index i = 0; i < rows_.size(); ++i) {
    const Index place = rows_.place(i);
    Index next = place;
    if (rows_.is_pinned(i)) {
      const double gradient_slack = outgrown * rows_.gradient_range(i);
      if (gradient_[i] > rows_.high_gradient(i) + gradient_slack) next = place + 1;
      if (gradient_[i] < rows_.low_gradient(i) - gradient_slack) next = place - 1;
      const double off = predictor_[i] - rows_.kink(i);
      if (is_aside(i) && std::abs(off) > 100.0 * slack) next = off > 0.0 ? place + 1 : place - 1;
    } else {
      const Index stride = rows_.is_idle(i) ? 2 : 1;
      if (predictor_[i] > rows_.high_predictor(i) + slack) next = place + stride;
      if (predictor_[i] < rows_.low_predictor(i) - slack) next = place - stride;
    }
    if (next == place) continue;
    rows_.set_place(i, next);
    ++moves;
  }
  return moves;
}

// Once more with the products computed anew; what moves then is not settled.
bool KernelActiveSet::refine() {
  refresh();
  size_ = 1.0 + predictor_.lpNorm<Eigen::Infinity>();
  const auto move = step(0.0, {});
  if (!move) return false;
  apply(*move, 1.0);
  if (move_outgrown() > 0) return false;
  leave_ends();
  centre_intercept();
  return true;
}

void KernelActiveSet::leave_ends() {
  for (Index i = 0; i < rows_.size(); ++i) {
    if (!rows_.is_pinned(i)) continue;
    const double slack = outgrown * rows_.gradient_range(i);
    if (gradient_[i] >= rows_.high_gradient(i) - slack) {
      rows_.set_place(i, rows_.place(i) + 1);
    } else if (gradient_[i] <= rows_.low_gradient(i) + slack) {
      rows_.set_place(i, rows_.place(i) - 1);
    } else {
      continue;
    }
    gradient_[i] = rows_.slope(i);
  }
}

// Without a pinned row an intercept may be anywhere between two: in the middle.
void KernelActiveSet::centre_intercept() {
  if (free_.cols() != 1 || !rows_.pinned().empty()) return;
  double down = -std::numeric_limits<double>::infinity();
  double up = -down;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i) || free_(i, 0) == 0.0) continue;
    const double one = (rows_.low_predictor(i) - predictor_[i]) / free_(i, 0);
    const double other = (rows_.high_predictor(i) - predictor_[i]) / free_(i, 0);
    down = std::max(down, std::min(one, other));
    up = std::min(up, std::max(one, other));
  }
  if (!std::isfinite(down) || !std::isfinite(up)) return;
  const double move = 0.5 * (down + up);
  free_coefficients_[0] += move;
  predictor_ += move * free_.col(0);
}

bool KernelActiveSet::approach() {
  Vector targets = rows_.nearest_gradients(gradient_);
  double sigma = rows_.first_stiffness(predictor_, size_);
  for (int round = 0; round < most_targets; ++round) {
    minimise_with_springs(targets, sigma);
    const State reached{gradient_, free_coefficients_, rows_};
    if (pivot_to_solution(last_patience)) return true;
    gradient_ = reached.gradient;
    free_coefficients_ = reached.free_coefficients;
    rows_ = reached.rows;
    refresh();
    targets = gradient_;
    sigma *= stiffening;
  }
  return false;
}

bool KernelActiveSet::place_by_springs(const Vector& targets, double sigma, Vector& gradient) {
  bool changed = false;
  for (Index i = 0; i < rows_.size(); ++i) {
    const Index place = rows_.place_of_proximal(i, predictor_[i], targets[i], sigma, gradient[i]);
    changed = changed || place != rows_.place(i);
    rows_.set_place(i, place);
  }
  return changed;
}

// Minimises g'K g / (2 lambda) + sum_i min_z [ loss_i(z) + t_i (eta_i - z) + sigma (eta_i - z)^2 / 2 ].
void KernelActiveSet::minimise_with_springs(const Vector& targets, double sigma) {
  Vector gradient(rows_.size());
  place_by_springs(targets, sigma, gradient);
  for (int count = 0; count < most_newton_steps; ++count) {
    auto move = step(lambda_ / sigma, targets);
    const bool determined = move.has_value();
    if (!determined) move = along_free_columns(gradient);
    const double length = best_length(*move, targets, sigma, determined);
    if (length == 0.0) break;
    apply(*move, length);
    const bool changed = place_by_springs(targets, sigma, gradient);
    if (determined && length == 1.0 && !changed) break;
  }
  gradient_ = gradient;
  refresh();
}

// Against the gradient of the unpenalised part.
KernelActiveSet::Step KernelActiveSet::along_free_columns(const Vector& gradient) const {
  Step step;
  step.gradient = Vector::Zero(rows_.size());
  step.product = Vector::Zero(rows_.size());
  step.free_coefficients = -(free_.transpose() * gradient) / free_.squaredNorm();
  step.predictor = free_ * step.free_coefficients;
  return step;
}

double KernelActiveSet::descent_at(const Step& step, const Vector& targets, double sigma,
                                   double length) const {
  double slope = (gradient_.dot(step.product) + length * step.gradient.dot(step.product)) / lambda_;
  for (Index i = 0; i < rows_.size(); ++i) {
    double gradient = 0.0;
    rows_.place_of_proximal(i, predictor_[i] + length * step.predictor[i], targets[i], sigma, gradient);
    slope += gradient * step.predictor[i];
  }
  return slope;
}

// Where the slope along a step is a tenth of that at its begin, or less. A step of Newton's method that is
// still going down at its end is taken whole; along unpenalised columns there is no natural length.
double KernelActiveSet::best_length(const Step& step, const Vector& targets, double sigma,
                                    bool is_newton) const {
  const double begin = descent_at(step, targets, sigma, 0.0);
  const double rounding = 1e-15 * gradient_.lpNorm<1>() * step.predictor.lpNorm<Eigen::Infinity>();
  if (!(begin < -rounding)) return 0.0;
  const double flat = flat_share * -begin;
  double low = 0.0;
  double high = 1.0;
  double at_high = descent_at(step, targets, sigma, high);
  for (int k = 0; !is_newton && at_high < 0.0 && k < most_doublings; ++k) {
    low = high;
    high *= 2.0;
    at_high = descent_at(step, targets, sigma, high);
  }
  if (at_high <= flat) return high;
  for (int k = 0; k < most_cuts; ++k) {
    const double middle = 0.5 * (low + high);
    const double slope = descent_at(step, targets, sigma, middle);
    if (std::abs(slope) <= flat) return middle;
    (slope < 0.0 ? low : high) = middle;
  }
  return low;
}

// With L L' = K_VV, P = L^-1 F_V, and for a row on a piece k = L^-1 K_Vi, e = F_i - P'k, the formulas of
// docs/method.md are
//
//     a_i = (K_ii - |k|^2 + e'(P'P)^-1 e) / lambda,
//
// and for a pinned one 1 / a_i = lambda [L^-T (I - P (P'P)^-1 P') L^-1]_ii.
Vector KernelActiveSet::hat() {
  settle_factor(0.0);
  const bool dependent = std::any_of(aside_.begin(), aside_.end(), [](char aside) { return aside != 0; });
  if (dependent || has_row_at_end()) return {};
  if (hat_places_ == rows_.places()) return hat_ / lambda_;
  const auto count = static_cast<Index>(order_.size());
  const Matrix reduced = factor_.solve_lower(free_(order_, Eigen::all));
  Matrix basis(count, 0);
  if (count > 0 && free_.cols() > 0) basis = blas::orthonormal_basis(reduced, rank_tolerance);
  if (basis.cols() < free_.cols()) return {};
  hat_ = Vector::Zero(rows_.size());
  hat_on_pieces(reduced, basis, hat_);
  hat_of_pinned(basis, hat_);
  hat_places_ = rows_.places();
  return hat_ / lambda_;
}

void KernelActiveSet::hat_on_pieces(const Matrix& reduced, const Matrix& basis, Vector& hat) const {
  std::vector<Index> moved;  // on a piece with a slope: leaving the others out changes nothing
  for (Index i = 0; i < rows_.size(); ++i) {
    if (!rows_.is_pinned(i) && gradient_[i] != 0.0) moved.push_back(i);
  }
  if (moved.empty()) return;
  const Matrix solved = factor_.solve_lower(kernel_(order_, moved));
  Vector squares = kernel_.diagonal()(moved) - solved.colwise().squaredNorm().transpose();
  squares = squares.cwiseMax(0.0);
  if (free_.cols() > 0) {
    const Matrix rest = free_(moved, Eigen::all).transpose() - reduced.transpose() * solved;
    const Matrix triangle = (basis.transpose() * reduced).transpose();
    squares += triangle.partialPivLu().solve(rest).colwise().squaredNorm().transpose();
  }
  hat(moved) = squares;
}

void KernelActiveSet::hat_of_pinned(const Matrix& basis, Vector& hat) const {
  const auto count = static_cast<Index>(order_.size());
  if (count == 0) return;
  if (basis.cols() == 0) {
    hat(order_) = factor_.inverse().diagonal().cwiseInverse();
    return;
  }
  Matrix inverse = factor_.solve_lower(Matrix::Identity(count, count));
  const Vector whole = inverse.colwise().squaredNorm();
  inverse -= basis * (basis.transpose() * inverse);
  for (Index k = 0; k < count; ++k) {
    const double diagonal = inverse.col(k).squaredNorm();
    const bool alone = diagonal <= rank_tolerance * whole[k];  // it alone holds an unpenalised direction
    hat[order_[static_cast<std::size_t>(k)]] = alone ? undefined : 1.0 / diagonal;
  }
}

bool KernelActiveSet::has_row_at_end() const {
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i) || rows_.is_pinned(i)) continue;
    if (rows_.distance_to_kink(i, predictor_[i]) <= touching_share * size_) return true;
  }
  return false;
}

}  // namespace alo
