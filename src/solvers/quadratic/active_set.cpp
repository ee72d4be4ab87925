// SPDX-License-Identifier: MIT
#include "solvers/quadratic/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/error.hpp"
#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// Whole steps after the first are iterative refinement: the residual is computed anew, so each removes the
// rounding that the factor left. One is enough unless the condition number exceeds 1e8; more change nothing.
constexpr int refinement_steps = 2;

double sign_of(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

void grow_columns(Matrix& matrix, Index rows, Index used) {
  if (used < matrix.cols() && rows <= matrix.rows()) return;
  matrix.conservativeResize(std::max(rows, matrix.rows()), std::max<Index>(16, 2 * matrix.cols()));
}

}  // namespace

ActiveSetSolver::ActiveSetSolver(const Problem& problem, const VectorView& weights)
    : problem_(problem),
      root_weights_(weights.cwiseSqrt()),
      target_(root_weights_.cwiseProduct(problem.data().response - problem.data().offset)),
      terms_(problem.penalty().separable(problem.columns()).value()),
      norms_(problem.design().weighted_square_norms(weights).cwiseSqrt()),
      is_active_(static_cast<std::size_t>(problem.columns()), 0),
      block_(problem.rows(), 0),
      coefficients_(Vector::Zero(problem.columns())),
      residual_(target_) {
  for (const Index j : problem.constant_columns()) is_active_[static_cast<std::size_t>(j)] = 1;
  if (problem.intercept()) enter(intercept_column, 0.0);
  for (Index j = 0; j < problem.columns(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const bool penalized = terms_.absolute[j] + terms_.square[j] + terms_.fixed_square[j] > 0.0;
    if (is_active_[at] == 0 && !penalized && !enter(j, 0.0)) {
      is_active_[at] = 1;  // depends on the other unpenalised columns
    }
  }
}

double ActiveSetSolver::absolute(Index k) const {
  const Index j = active_[static_cast<std::size_t>(k)];
  return j == intercept_column ? 0.0 : lambda_ * terms_.absolute[j];
}

double ActiveSetSolver::square_of(Index column) const {
  return column == intercept_column ? 0.0 : lambda_ * terms_.square[column] + terms_.fixed_square[column];
}

double& ActiveSetSolver::value(Index k) {
  const Index j = active_[static_cast<std::size_t>(k)];
  return j == intercept_column ? intercept_ : coefficients_[j];
}

Vector ActiveSetSolver::weighted_column(Index column) const {
  if (column == intercept_column) return root_weights_;
  return root_weights_.cwiseProduct(problem_.design().gather(std::span(&column, 1)).col(0));
}

bool ActiveSetSolver::enter(Index column, double sign) {
  const Index s = size();
  const Vector weighted = weighted_column(column);
  const Vector cross = blas::transpose_multiply_vector(block_.leftCols(s), weighted);
  const double own = weighted.squaredNorm();
  if (!factor_.append(cross, own + square_of(column), tolerances::dependent_pivot)) return false;

  grow_columns(block_, problem_.rows(), s);
  grow_columns(gram_, block_.cols(), s);
  block_.col(s) = weighted;
  gram_.col(s).head(s) = cross;
  gram_.row(s).head(s) = cross.transpose();
  gram_(s, s) = own;
  active_.push_back(column);
  signs_.push_back(sign);
  if (column != intercept_column) is_active_[static_cast<std::size_t>(column)] = 1;
  return true;
}

void ActiveSetSolver::leave(Index k) {
  value(k) = 0.0;
  is_active_[static_cast<std::size_t>(active_[static_cast<std::size_t>(k)])] = 0;
  active_.erase(active_.begin() + k);
  signs_.erase(signs_.begin() + k);
  factor_.remove(k);
  const Index s = size();
  for (Index i = k; i < s; ++i) {
    block_.col(i) = block_.col(i + 1);
    gram_.col(i).head(s + 1) = gram_.col(i + 1).head(s + 1);
  }
  for (Index i = k; i < s; ++i) gram_.row(i).head(s) = gram_.row(i + 1).head(s);
}

void ActiveSetSolver::refactor() {
  Matrix m = gram_.topLeftCorner(size(), size());
  for (Index k = 0; k < size(); ++k) m(k, k) += square(k);
  if (!factor_.factor(m)) throw Error("the matrix of the active columns is numerically singular");
}

void ActiveSetSolver::refresh_residual() {
  Vector active_values(size());
  for (Index k = 0; k < size(); ++k) active_values[k] = value(k);
  residual_ = target_ - blas::multiply_vector(block_.leftCols(size()), active_values);
}

Vector ActiveSetSolver::leverages() const {
  if (size() > problem_.rows()) return {};
  const auto block = block_.leftCols(size());
  const Vector squares = block.colwise().squaredNorm().transpose();
  if ((factor_.pivots().array() <= tolerances::leverage_pivot * squares.array()).any()) {
    return {};
  }
  return factor_.solve_lower(block.transpose()).colwise().squaredNorm();
}

Vector ActiveSetSolver::slopes() const {
  return problem_.design().transpose_multiply(root_weights_.cwiseProduct(residual_));
}

Vector ActiveSetSolver::direction() {
  Vector descent = blas::transpose_multiply_vector(block_.leftCols(size()), residual_);
  for (Index k = 0; k < size(); ++k) {
    descent[k] -= absolute(k) * signs_[static_cast<std::size_t>(k)] + square(k) * value(k);
  }
  return factor_.solve(descent);
}

bool ActiveSetSolver::minimize_on_signs() {
  bool moved = false;
  for (int whole_steps = 0; whole_steps <= refinement_steps;) {
    const Vector step = direction();
    // How far each coefficient is from changing sign, in units of the step.
    Vector reach = Vector::Constant(size(), std::numeric_limits<double>::infinity());
    for (Index k = 0; k < size(); ++k) {
      const double sign = signs_[static_cast<std::size_t>(k)];
      if (absolute(k) > 0.0 && (value(k) + step[k]) * sign <= 0.0) reach[k] = -value(k) / step[k];
      if (absolute(k) > 0.0 && value(k) == 0.0 && step[k] * sign <= 0.0) reach[k] = 0.0;
    }
    const double length = std::min(1.0, size() == 0 ? 1.0 : reach.minCoeff());
    for (Index k = 0; k < size(); ++k) value(k) += length * step[k];
    moved = moved || length > 0.0;
    bool left = false;
    for (Index k = size(); k-- > 0;) {
      if (reach[k] <= length) {
        leave(k);
        left = true;
      }
    }
    refresh_residual();
    if (!left) ++whole_steps;
  }
  return moved;
}

bool ActiveSetSolver::admit_violators(bool one_only) {
  const Vector slope = slopes();
  const double residual_norm = residual_.norm();
  std::vector<std::pair<double, Index>> violators;  // (excess over the size of the column, column)
  for (Index j = 0; j < slope.size(); ++j) {
    const double bound = lambda_ * terms_.absolute[j];
    if (is_active_[static_cast<std::size_t>(j)] != 0 || std::isinf(terms_.absolute[j])) continue;
    const double excess = std::abs(slope[j]) - bound;
    const double rounding = tolerances::slope_rounding * norms_[j] * residual_norm;
    if (excess > tolerances::threshold_slack * bound + rounding) {
      violators.emplace_back(excess / norms_[j], j);
    }
  }
  std::sort(violators.begin(), violators.end(), std::greater<>());
  const std::size_t limit = one_only ? 1 : std::max<std::size_t>(16, active_.size() / 2);
  std::size_t admitted = 0;
  for (const auto& violator : violators) {
    if (admitted == limit) break;
    if (enter(violator.second, sign_of(slope[violator.second]))) ++admitted;
  }
  if (admitted > 0) return true;
  return std::any_of(violators.begin(), violators.end(), [&](const auto& violator) {
    return exchange(violator.second, sign_of(slope[violator.second]));
  });
}

bool ActiveSetSolver::exchange(Index column, double sign) {
  const Vector weighted = weighted_column(column);
  const Vector combination =
      factor_.solve(blas::transpose_multiply_vector(block_.leftCols(size()), weighted));
  Index blocking = -1;
  double length = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < size(); ++k) {
    const double rate = -sign * combination[k];
    if (absolute(k) == 0.0 || rate * signs_[static_cast<std::size_t>(k)] >= 0.0) continue;
    if (const double reach = -value(k) / rate; reach < length) {
      length = reach;
      blocking = k;
    }
  }
  if (blocking < 0 || !(length > 0.0)) return false;
  for (Index k = 0; k < size(); ++k) value(k) -= sign * length * combination[k];
  leave(blocking);
  if (enter(column, sign)) coefficients_[column] = sign * length;
  refresh_residual();
  return true;
}

void ActiveSetSolver::start_from(const VectorView& coefficients) {
  for (Index j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] == 0.0) continue;
    const bool joined = is_active_[static_cast<std::size_t>(j)] != 0 || enter(j, sign_of(coefficients[j]));
    if (joined) coefficients_[j] = coefficients[j];
  }
  refresh_residual();
}

void ActiveSetSolver::solve(double lambda) {
  lambda_ = lambda;
  if ((terms_.square.array() > 0.0).any()) refactor();  // a fixed square is in the factor already
  minimize_on_signs();
  bool one_only = false;
  const Index rounds = 100 + 10 * (problem_.rows() + problem_.columns());
  for (Index round = 0; round < rounds && admit_violators(one_only); ++round) {
    const bool moved = minimize_on_signs();
    if (!moved && one_only) break;  // the remaining gain is below rounding
    one_only = !moved;
  }
}

}  // namespace alo
