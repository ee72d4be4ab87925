// SPDX-License-Identifier: MIT
#include "signals/discrete_splines.hpp"

namespace alo {

// Knots beyond the ends make the first function one at the first row and the last at the last.
DiscreteSplines::DiscreteSplines(Index rows, int order, const std::vector<Index>& differences)
    : rows_(rows), order_(order) {
  for (Index k = 0; k < order; ++k) knots_.push_back(k - 1);
  for (const Index m : differences) knots_.push_back(m + order - 1);
  for (Index k = 0; k < order; ++k) knots_.push_back(rows - 1 + k);
}

// The truncated product alone has the difference (-1)^k (k-1)! at its knot.
Matrix DiscreteSplines::difference_parts() const {
  Matrix parts(order_ + 1, differences());
  double factor = order_ % 2 == 0 ? 1.0 : -1.0;
  for (int i = 2; i < order_; ++i) factor *= i;
  for (Index k = 0; k < differences(); ++k) {
    const Index here = k + order_;
    for (Index a = 0; a <= order_; ++a) {
      double part = factor * static_cast<double>(knot(k + a + order_) - knot(k + a));
      for (Index i = k + a; i <= k + a + order_; ++i) {
        if (i != here) part /= static_cast<double>(knot(here) - knot(i));
      }
      parts(a, k) = part;
    }
  }
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

SparseMatrix DiscreteSplines::basis() const {
  std::vector<Eigen::Triplet<double>> entries;
  visit_rows<double>([&](auto order, Index row, Index first, const double* values) {
    for (int a = 0; a < order; ++a) {
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
  visit_rows<double>([&](auto order, Index row, Index first, const double* values) {
    for (int a = 0; a < order; ++a) result[first + a] += values[a] * rows[row];
  });
  return result;
}

}  // namespace alo
