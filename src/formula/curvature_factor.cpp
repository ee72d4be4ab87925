// SPDX-License-Identifier: MIT
#include "formula/curvature_factor.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace alo {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A pivot of Cholesky's factorisation below this share of its diagonal entry is the rounding of K
// subtractions (K epsilon, K up to some tens of outputs). At a tenth rounding passes for a direction with
// curvature; at ten times a direction whose curvature is 1e-13 of its output's counts as flat.
constexpr double pivot_tolerance = 1e-14;
// A sum of edge weights below the smallest normal number has lost digits and counts as zero.
constexpr double smallest = std::numeric_limits<double>::min();

// True for a graph Laplacian: no entry off the diagonal is positive, and every column sums to zero up to the
// rounding of its terms (16 epsilon for each, as they come from products of probabilities).
bool is_laplacian(const Matrix& curvature) {
  const Index outputs = curvature.rows();
  const double tolerance = 16.0 * epsilon * static_cast<double>(outputs);
  for (Index k = 0; k < outputs; ++k) {
    for (Index j = 0; j < outputs; ++j) {
      if (j != k && curvature(j, k) > 0.0) return false;
    }
    if (std::abs(curvature.col(k).sum()) > tolerance * curvature(k, k)) return false;
  }
  return true;
}

}  // namespace

CurvatureFactor::CurvatureFactor(const Matrix& curvature)
    : order_(static_cast<std::size_t>(curvature.rows())),
      root_(Matrix::Zero(curvature.rows(), curvature.cols())),
      has_shift_(is_laplacian(curvature)) {
  std::iota(order_.begin(), order_.end(), Index{0});
  Index largest = 0;
  curvature.diagonal().maxCoeff(&largest);
  std::swap(order_[static_cast<std::size_t>(largest)], order_.back());
  has_shift_ ? eliminate_graph(-curvature) : eliminate(curvature);
  const Index rank = (root_.diagonal().array() > 0.0).count();
  complete_ = rank == curvature.rows() - (has_shift_ ? 1 : 0);
}

void CurvatureFactor::eliminate_graph(Matrix weights) {
  for (std::size_t step = 0; step + 1 < order_.size(); ++step) {
    const Index k = order_[step];
    double total = 0.0;
    for (const Index j : after(step)) total += weights(j, k);
    if (total < smallest) continue;
    root_(k, k) = std::sqrt(total);
    for (const Index j : after(step)) {
      root_(j, k) = -weights(j, k) / root_(k, k);
      for (const Index i : after(step)) weights(i, j) += weights(i, k) * (weights(j, k) / total);
    }
  }
}

void CurvatureFactor::eliminate(const Matrix& curvature) {
  Matrix rest = curvature;
  for (std::size_t step = 0; step < order_.size(); ++step) {
    const Index k = order_[step];
    if (rest(k, k) <= pivot_tolerance * curvature(k, k)) continue;
    root_(k, k) = std::sqrt(rest(k, k));
    for (const Index j : after(step)) {
      root_(j, k) = rest(j, k) / root_(k, k);
      for (const Index i : after(step)) rest(i, j) -= rest(i, k) * (rest(j, k) / rest(k, k));
    }
  }
}

Vector CurvatureFactor::solve(const Vector& g) const {
  Vector result = g;
  for (std::size_t step = 0; step < order_.size(); ++step) {
    const Index k = order_[step];
    result[k] = root_(k, k) > 0.0 ? result[k] / root_(k, k) : 0.0;
    for (const Index j : after(step)) result[j] -= root_(j, k) * result[k];
  }
  return result;
}

Vector CurvatureFactor::solve_transposed(const Vector& v) const {
  Vector result = v;
  for (std::size_t step = order_.size(); step-- > 0;) {
    const Index k = order_[step];
    for (const Index j : after(step)) result[k] -= root_(j, k) * result[j];
    result[k] = root_(k, k) > 0.0 ? result[k] / root_(k, k) : 0.0;
  }
  if (has_shift_) result.array() -= result.mean();
  return result;
}

}  // namespace alo
