// SPDX-License-Identifier: MIT
#include "signals/spline_system.hpp"

#include <algorithm>
#include <limits>

namespace alo {

namespace {

// A pivot below this share of its diagonal entry is rounding: some epsilon for each of the k functions of a
// row. B-splines are well conditioned (pivots of 1e-3 and more for equal weights), so that smaller ones come
// from weights that differ by ten orders or more. At a tenth the values between rows with weight may be
// rounding; at ten times more signals take the proximal steps for open rows, which need some rounds.
constexpr double least_pivot = 64.0 * std::numeric_limits<double>::epsilon();

// The sums over the rows begin ... end - 1 of one piece of the products of the functions with each other and
// the signal.
template <int K>
void sum_rows(const DiscreteSplines::Piece<double, K>& piece, Index begin, Index end,
              const VectorView& weights, const VectorView& signal, Index order, double* result) {
  constexpr int columns = K == Eigen::Dynamic ? K : K + 1;
  Eigen::Matrix<double, K, columns> sums = Eigen::Matrix<double, K, columns>::Zero(order, order + 1);
  Eigen::Matrix<double, columns, 1> factors(order + 1);
  for (Index row = begin; row < end; ++row) {
    const auto values = piece.values_at(row);
    factors << values, signal[row];
    sums.noalias() += (weights[row] * values) * factors.transpose();
  }
  Eigen::Map<Eigen::Matrix<double, K, columns>>(result, order, order + 1) = sums;
}

}  // namespace

SplineSystem::SplineSystem(int order, const Matrix& sums)
    : order_(order), right_(Vector::Zero(sums.cols() + order - 1)) {
  // Columns of zeros behind the last one let its neighbours be handled like all others.
  band_ = Matrix::Zero(order, right_.size() + order - 1);
  with_order(order, [&](auto constant) {
    const Index k = constant == Eigen::Dynamic ? order_ : constant;
    for (Index p = 0; p < sums.cols(); ++p) {
      const double* piece = &sums(0, p);
      for (Index a = 0; a < k; ++a) {
        double* column = &band_(0, p + a);
        for (Index b = a; b < k; ++b) column[b - a] += piece[a * k + b];
        right_[p + a] += piece[k * k + a];
      }
    }
    factor_ = band_;
    for (Index j = 0; j < right_.size(); ++j) {
      double* column = &factor_(0, j);
      const double inverse = 1.0 / column[0];
      if (!(column[0] > least_pivot * band_(0, j))) definite_ = false;
      for (Index a = 1; a < k; ++a) {
        const double ratio = column[a] * inverse;
        for (Index b = a; b < k; ++b) column[a * k + b - a] -= ratio * column[b];
      }
      for (Index a = 1; a < k; ++a) column[a] *= inverse;
    }
  });
}

Vector SplineSystem::solve(const VectorView& v) const {
  const Index size = right_.size();
  Vector result = Vector::Zero(band_.cols());
  result.head(size) = v;
  with_order(order_, [&](auto constant) {
    const Index k = constant == Eigen::Dynamic ? order_ : constant;
    for (Index j = 0; j < size; ++j) {
      const double* column = &factor_(0, j);
      for (Index a = 1; a < k; ++a) result[j + a] -= column[a] * result[j];
    }
    for (Index j = size; j-- > 0;) {
      const double* column = &factor_(0, j);
      double value = result[j] / column[0];
      for (Index a = 1; a < k; ++a) value -= column[a] * result[j + a];
      result[j] = value;
    }
  });
  result.conservativeResize(size);
  return result;
}

Vector SplineSystem::multiply(const VectorView& v) const {
  Vector result = Vector::Zero(band_.cols());
  with_order(order_, [&](auto constant) {
    const Index k = constant == Eigen::Dynamic ? order_ : constant;
    for (Index j = 0; j < v.size(); ++j) {
      const double* column = &band_(0, j);
      const Index below = std::min(k, v.size() - j);
      result[j] += column[0] * v[j];
      for (Index a = 1; a < below; ++a) {
        result[j] += column[a] * v[j + a];
        result[j + a] += column[a] * v[j];
      }
    }
  });
  result.conservativeResize(v.size());
  return result;
}

// The entries of S = G^-1 within the band, from the last column on (Takahashi, Fagan and Chin 1973). The
// identity S = D^-1 L^-1 + (I - L') S gives S_(j+a,j) = -sum_b L_(j+b,j) S_(j+a,j+b) and S_jj = 1 / D_j -
// sum_b L_(j+b,j) S_(j+b,j).
Matrix SplineSystem::inverse_band() const {
  const Index size = right_.size();
  Matrix inverse = Matrix::Zero(order_, size);
  const auto entry = [&](Index i, Index j) {
    return inverse(std::max(i, j) - std::min(i, j), std::min(i, j));
  };
  for (Index j = size; j-- > 0;) {
    const Index below = std::min<Index>(order_, size - j);
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
  splines.visit_rows([&](Index row, Index first, const auto& values) {
    double sum = 0.0;
    for (Index a = 0; a < values.size(); ++a) {
      double part = inverse(0, first + a) * values[a];
      for (Index b = a + 1; b < values.size(); ++b) part += 2.0 * inverse(b - a, first + a) * values[b];
      sum += part * values[a];
    }
    result[row] = sum;
  });
  return result;
}

SplineSystem PieceSums::system(const DiscreteSplines& splines, const VectorView& weights,
                               const VectorView& signal) {
  const Index k = splines.order();
  Matrix sums(k * (k + 1), splines.pieces());
  const Index kept = splines_ ? splines_->pieces() : 0;
  with_order(splines.order(), [&](auto order) {
    DiscreteSplines::Piece<double, order> piece(splines);
    Index before = 0;
    for (Index p = 0; p < splines.pieces(); ++p) {
      while (before < kept && splines_->begin(before) < splines.begin(p)) ++before;
      if (before < kept && splines.has_same_piece(p, *splines_, before)) {
        std::copy_n(&sums_(0, before), sums.rows(), &sums(0, p));
      } else {
        piece.move_to(p);
        sum_rows(piece, splines.begin(p), splines.end(p), weights, signal, k, &sums(0, p));
      }
    }
  });
  splines_ = splines;
  sums_ = std::move(sums);
  return {splines.order(), sums_};
}

}  // namespace alo
