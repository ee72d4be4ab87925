// SPDX-License-Identifier: MIT
#include "solvers/kinked/kernel_active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/select.hpp"
#include "linalg/special_values.hpp"

namespace alo {

namespace {

// A row depends on the others when its squared distance from their span is below this share of its own
// square. The products of rows have errors of 1e-16 for each of some hundreds, so that such a distance has
// two digits. At a tenth it may have none, and a_i is rounding; at ten times rows that differ by 3e-6 count
// as equal, and go the way of dependent rows, which takes longer.
constexpr double dependence_tolerance = 1e-12;
// The same for the unpenalised columns at the pinned rows, whose Gram matrix is computed with that factor and
// has one digit less.
constexpr double rank_tolerance = 1e-11;
// F_V'g_V = -F_S'g_S has no solution if more than this share of the sum of |g_i| is left. Rounding leaves
// some 1e-12 with columns of condition 1e4; a part that has no solution is about one weight, 1/n of the sum,
// so any value between 1e-11 and 1/n serves.
constexpr double unsolved = 1e-9;
// Rounds of the active set from a neighbouring solution that do not lower the number of moves, before the
// method of multipliers begins. Only the time depends on it.
constexpr int first_patience = 8;

}  // namespace

KernelActiveSet::KernelActiveSet(Matrix kernel, Matrix free, RowPlaces rows, Vector offset)
    : RidgeActiveSet(std::move(rows), std::move(offset)), kernel_(std::move(kernel)), free_(std::move(free)) {
  // F'g = 0 at the solution, so F F' may be added to K. Pinned rows that differ in the unpenalised columns
  // alone are then independent in it.
  const double size = free_.squaredNorm();
  const double trace = kernel_.diagonal().sum();
  if (size > 0.0 && trace > 0.0) blas::add_product_transposed(kernel_, trace / size, free_, free_);
  start_from(Vector::Zero(free_.cols()), Vector::Zero(rows_.size()));
}

Vector KernelActiveSet::predict() const {
  return offset_ + free_ * coordinates_ - blas::multiply_vector(kernel_, gradient_) / lambda_;
}

bool KernelActiveSet::solve(double lambda) {
  lambda_ = lambda;
  refresh();
  if (solve_pinned(first_patience)) return true;
  return solve_augmented(rows_.first_term(gradient_, predictor_, free_.cols() + 1));
}

void KernelActiveSet::update_factor(double ridge) {
  std::fill(depends_.begin(), depends_.end(), char{0});
  std::size_t kept = 0;
  if (ridge == factor_ridge_) {
    while (kept < order_.size() && rows_.is_pinned(order_[kept])) ++kept;
  }
  std::vector<char> in_factor(depends_.size(), 0);
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
  // Some rows depend on others. They are found by adding one row at a time.
  for (const Index i : joining) {
    const Vector cross = kernel_(order_, i);
    if (factor_.append(cross, kernel_(i, i) + ridge, dependence_tolerance)) {
      order_.push_back(i);
    } else {
      depends_[static_cast<std::size_t>(i)] = 1;
    }
  }
}

// With D the change of g, D_S the difference to the slopes, and a ridge of lambda / sigma, the system is
//
//     (K_VV + ridge) D_V - lambda F_V d = lambda (eta_V - v_V) - ridge (g_V - m_V) - K_VS D_S =: r,
//     F_V'D_V = -F'g - F_S'D_S =: w,
//
// and is solved by elimination with L L' = K_VV + ridge and P = L^-1 F_V:  lambda P'P d = w - P'L^-1 r.
std::optional<KernelActiveSet::Step> KernelActiveSet::solve_system(const AugmentedTerm* term) {
  const double ridge = term == nullptr ? 0.0 : lambda_ / term->sigma;
  update_factor(ridge);
  Step step{Vector::Zero(free_.cols()), Vector::Zero(rows_.size()), {}};
  Vector product = Vector::Zero(rows_.size());  // K D
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_pinned(i) || gradient_[i] == rows_.slope(i)) continue;
    step.gradient[i] = rows_.slope(i) - gradient_[i];
    blas::add_multiple(product, step.gradient[i], kernel_.col(i));
  }
  const auto count = static_cast<Index>(order_.size());
  Vector right(count);
  for (Index k = 0; k < count; ++k) {
    const Index i = order_[static_cast<std::size_t>(k)];
    right[k] = lambda_ * (predictor_[i] - rows_.kink(i)) - product[i];
    if (term != nullptr) right[k] -= ridge * (gradient_[i] - term->multipliers[i]);
  }
  Vector solved = factor_.solve_lower(right);
  if (free_.cols() > 0) {
    const Matrix reduced = factor_.solve_lower(free_(order_, Eigen::all));
    const Vector wanted = -(free_.transpose() * (gradient_ + step.gradient)) - reduced.transpose() * solved;
    Eigen::ColPivHouseholderQR<Matrix> system(free_.cols(), free_.cols());
    system.setThreshold(rank_tolerance);
    system.compute(reduced.transpose() * reduced);
    const Vector scaled = system.solve(wanted);
    const double rest = (reduced.transpose() * (reduced * scaled) - wanted).lpNorm<Eigen::Infinity>();
    const double size = gradient_.lpNorm<1>();
    const double largest_slope = rows_.kinks().slope.lpNorm<Eigen::Infinity>();
    // `rest` is not a number where the unpenalised columns are zero at all pinned rows.
    if (count > 0 && rest <= unsolved * size) {
      step.coordinates = scaled / lambda_;
      solved += reduced * scaled;
    } else if (wanted.lpNorm<Eigen::Infinity>() > RowPlaces::end_tolerance * (largest_slope + size)) {
      return std::nullopt;
    }
  }
  const Vector change = factor_.solve_lower_transposed(solved);
  for (Index k = 0; k < count; ++k) {
    const Index i = order_[static_cast<std::size_t>(k)];
    step.gradient[i] = change[k];
    blas::add_multiple(product, change[k], kernel_.col(i));
  }
  step.predictor = free_ * step.coordinates - product / lambda_;
  return step;
}

// If the pinned rows do not determine the unpenalised part, the step is along its gradient.
KernelActiveSet::Step KernelActiveSet::newton_step(const AugmentedTerm& term, const Vector& derivatives) {
  if (auto step = solve_system(&term)) return std::move(*step);
  Step step{-(free_.transpose() * derivatives) / free_.squaredNorm(), Vector::Zero(rows_.size()), {}};
  step.predictor = free_ * step.coordinates;
  step.length = StepLength::unknown;
  return step;
}

// The derivative of g'K g / (2 lambda) along the step, with K D = lambda (F d - change of eta).
KernelActiveSet::Slope KernelActiveSet::penalty_slope(const Step& step, double length) const {
  const Vector gradient = gradient_ + length * step.gradient;
  return {(free_.transpose() * gradient).dot(step.coordinates) - gradient.dot(step.predictor), 0.0};
}

// With L L' = K_VV, P = L^-1 F_V, and for a row on a piece k = L^-1 K_Vi, e = F_i - P'k, the formulas of
// docs/method.md are
//
//     a_i = (K_ii - |k|^2 + e'(P'P)^-1 e) / lambda,
//
// and for a pinned one 1 / a_i = lambda [L^-T (I - P (P'P)^-1 P') L^-1]_ii.
Vector KernelActiveSet::hat() {
  update_factor(0.0);
  const bool dependent = order_.size() < rows_.pinned().size();
  if (dependent || rows_.touches_kink(predictor_)) return {};
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
  std::vector<Index> moved;  // rows on a piece with a slope; a row on a piece without one changes nothing
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
    squares += dense::solve(triangle, rest).colwise().squaredNorm().transpose();
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
    const bool alone = diagonal <= rank_tolerance * whole[k];  // it alone determines an unpenalised direction
    hat[order_[static_cast<std::size_t>(k)]] = alone ? undefined : 1.0 / diagonal;
  }
}

}  // namespace alo
