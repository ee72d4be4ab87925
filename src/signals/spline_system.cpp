// SPDX-License-Identifier: MIT
#include "signals/spline_system.hpp"

#include <algorithm>
#include <limits>

namespace alo {

namespace {

// A pivot below this share of its diagonal entry is rounding.
constexpr double least_pivot = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

SplineSystem::SplineSystem(const DiscreteSplines& splines, const VectorView& weights)
    : band_(Matrix::Zero(splines.order(), splines.size())) {
  splines.visit_rows<double>([&](auto order, Index row, Index first, const double* values) {
    for (int a = 0; a < order; ++a) {
      const double weighted = weights[row] * values[a];
      double* column = &band_(0, first + a);
      for (int b = a; b < order; ++b) column[b - a] += weighted * values[b];
    }
  });
  factorise();
}

void SplineSystem::factorise() {
  factor_ = band_;
  const Index size = band_.cols();
  for (Index j = 0; j < size; ++j) {
    const double pivot = factor_(0, j);
    if (!(pivot > least_pivot * band_(0, j))) definite_ = false;
    const Index below = std::min(band_.rows(), size - j);
    for (Index a = 1; a < below; ++a) {
      const double ratio = factor_(a, j) / pivot;
      for (Index b = a; b < below; ++b) factor_(b - a, j + a) -= ratio * factor_(b, j);
    }
    for (Index a = 1; a < below; ++a) factor_(a, j) /= pivot;
  }
}

Vector SplineSystem::solve(Vector right) const {
  const Index size = band_.cols();
  const auto below = [&](Index j) { return std::min(band_.rows(), size - j); };
  for (Index j = 0; j < size; ++j) {
    for (Index a = 1; a < below(j); ++a) right[j + a] -= factor_(a, j) * right[j];
  }
  for (Index j = size; j-- > 0;) {
    right[j] /= factor_(0, j);
    for (Index a = 1; a < below(j); ++a) right[j] -= factor_(a, j) * right[j + a];
  }
  return right;
}

Vector SplineSystem::multiply(const VectorView& v) const {
  const Index size = band_.cols();
  Vector result = band_.row(0).transpose().cwiseProduct(v);
  for (Index a = 1; a < std::min(band_.rows(), size); ++a) {
    const auto entries = band_.row(a).head(size - a).transpose();
    result.tail(size - a) += entries.cwiseProduct(v.head(size - a));
    result.head(size - a) += entries.cwiseProduct(v.tail(size - a));
  }
  return result;
}

// The entries of G^-1 within the band, from the last column: with S = G^-1, S = D^-1 L^-1 + (I - L') S gives
// S_(j+a,j) = -sum_b L_(j+b,j) S_(j+a,j+b) and S_jj = 1 / D_j - sum_b L_(j+b,j) S_(j+b,j) (Takahashi 1973).
Matrix SplineSystem::inverse_band() const {
  const Index size = band_.cols();
  Matrix inverse = Matrix::Zero(band_.rows(), size);
  const auto entry = [&](Index i, Index j) {
    return inverse(std::max(i, j) - std::min(i, j), std::min(i, j));
  };
  for (Index j = size; j-- > 0;) {
    const Index below = std::min(band_.rows(), size - j);
    double diagonal = 1.0 / factor_(0, j);
    for (Index a = 1; a < below; ++a) {
      double sum = 0.0;
      for (Index b = 1; b < below; ++b) sum += factor_(b, j) * entry(j + a, j + b);
      inverse(a, j) = -sum;
      diagonal += factor_(a, j) * sum;
    }
    inverse(0, j) = diagonal;
  }
  return inverse;
}

Vector SplineSystem::hat_values(const DiscreteSplines& splines) const {
  const Matrix inverse = inverse_band();
  Vector result(splines.rows());
  splines.visit_rows<double>([&](auto order, Index row, Index first, const double* values) {
    double sum = 0.0;
    for (int a = 0; a < order; ++a) {
      double part = inverse(0, first + a) * values[a];
      for (int b = a + 1; b < order; ++b) part += 2.0 * inverse(b - a, first + a) * values[b];
      sum += part * values[a];
    }
    result[row] = sum;
  });
  return result;
}

}  // namespace alo
