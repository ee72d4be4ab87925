// SPDX-License-Identifier: MIT
#include "signals/discrete_splines.hpp"

#include <algorithm>

namespace alo {

// With knots beyond the ends the first function is one at the first row, and the last function at the last
// row.
DiscreteSplines::DiscreteSplines(Index rows, int order, const std::vector<Index>& differences)
    : rows_(rows), order_(order) {
  knots_.reserve(differences.size() + 2 * static_cast<std::size_t>(order));
  for (Index k = 0; k < order; ++k) knots_.push_back(k - 1);
  for (const Index m : differences) knots_.push_back(m + order - 1);
  for (Index k = 0; k < order; ++k) knots_.push_back(rows - 1 + k);
}

bool DiscreteSplines::has_same_piece(Index p, const DiscreteSplines& other, Index q) const {
  bool same = begin(p) == other.begin(q) && end(p) == other.end(q);
  for (Index j = 1; same && j <= 2 * order_ - 2; ++j) same = knot(p + j) == other.knot(q + j);
  return same;
}

bool DiscreteSplines::is_determined_by(const VectorView& weights) const {
  Index row = 0;
  for (Index j = 0; j < size(); ++j, ++row) {
    row = std::max(row, knot(j) + 1);
    while (row < rows_ && !(weights[row] > 0.0)) ++row;
    if (row >= rows_ || row > knot(j + order_) - order_ + 1) return false;
  }
  return true;
}

// Only the truncated product at the knot itself has a difference there, (-1)^k (k-1)!, so that the divided
// difference gives it the factor that follows.
Matrix DiscreteSplines::difference_parts() const {
  Matrix parts(order_ + 1, differences());
  double factor = order_ % 2 == 0 ? 1.0 : -1.0;
  for (int i = 2; i < order_; ++i) factor *= i;
  with_order(order_, [&](auto constant) {
    const Index k = constant == Eigen::Dynamic ? order_ : constant;
    for (Index m = 0; m < parts.cols(); ++m) {
      for (Index a = 0; a <= k; ++a) {
        double distances = 1.0;
        for (Index i = m + a; i <= m + a + k; ++i) {
          if (i != m + k) distances *= static_cast<double>(knot(m + k) - knot(i));
        }
        parts(a, m) = factor * static_cast<double>(knot(m + a + k) - knot(m + a)) / distances;
      }
    }
  });
  return parts;
}

Vector DiscreteSplines::differences_of(const VectorView& coefficients) const {
  const Matrix parts = difference_parts();
  Vector result(differences());
  for (Index k = 0; k < result.size(); ++k) {
    result[k] = parts.col(k).dot(coefficients.segment(k, order_ + 1));
  }
  return result;
}

// Coefficient j is the polar form, at the knots j + 1 ... j + k - 1, of the polynomial on any piece on which
// function j is not zero: polynomials on both sides of a knot have the same polar form if that knot is an
// argument.
Vector DiscreteSplines::convert(const DiscreteSplines& other, const VectorView& coefficients) const {
  Vector result(size());
  with_order(order_, [&](auto order) {
    Piece<double, order> piece(other);
    Index theirs = -1;
    for (Index j = 0; j < size(); ++j) {
      const Index row = begin(std::clamp<Index>(j - order_ / 2, 0, pieces() - 1));
      if (theirs < 0 || row >= other.end(theirs)) {
        do ++theirs;
        while (row >= other.end(theirs));
        piece.move_to(theirs);
      }
      const auto values =
          piece.polar_forms([&](Index level) { return static_cast<double>(knot(j + 1 + level)); });
      result[j] = values.dot(coefficients.segment(theirs, order_));
    }
  });
  return result;
}

SparseMatrix DiscreteSplines::basis() const {
  std::vector<Eigen::Triplet<double>> entries;
  visit_rows([&](Index row, Index first, const auto& values) {
    for (Index a = 0; a < values.size(); ++a) {
      if (values[a] == 0.0) continue;
      entries.emplace_back(static_cast<int>(row), static_cast<int>(first + a), values[a]);
    }
  });
  SparseMatrix result(rows_, size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Vector DiscreteSplines::products(const VectorView& rows) const {
  Vector result = Vector::Zero(size());
  visit_rows([&](Index row, Index first, const auto& values) {
    for (Index a = 0; a < values.size(); ++a) result[first + a] += values[a] * rows[row];
  });
  return result;
}

}  // namespace alo
