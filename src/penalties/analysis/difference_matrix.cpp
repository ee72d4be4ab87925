// SPDX-License-Identifier: MIT
#include "penalties/analysis/difference_matrix.hpp"

#include <algorithm>
#include <vector>

#include "linalg/decompositions.hpp"

namespace alo {

SparseMatrix difference_matrix(Index columns, int order) {
  Vector row = Vector::Zero(order + 1);  // binomial coefficients with changing signs, the last one positive
  row[0] = order % 2 == 0 ? 1.0 : -1.0;
  for (int k = 1; k <= order; ++k) {
    for (int i = k; i > 0; --i) row[i] -= row[i - 1];
  }
  const Index rows = std::max<Index>(0, columns - order);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < rows; ++k) {
    for (int i = 0; i <= order; ++i) {
      entries.emplace_back(static_cast<int>(k), static_cast<int>(k) + i, row[i]);
    }
  }
  SparseMatrix result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Matrix polynomials(Index points, Index count) {
  if (count == 1) return Matrix::Ones(points, 1);
  const Vector place = Vector::LinSpaced(points, -1.0, 1.0);
  Matrix powers = Matrix::Ones(points, count);
  for (Index k = 1; k < count; ++k) powers.col(k) = powers.col(k - 1).cwiseProduct(place);
  return dense::orthogonal_columns(powers, 0, count);
}

}  // namespace alo
