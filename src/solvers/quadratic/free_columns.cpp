// SPDX-License-Identifier: MIT
#include "solvers/quadratic/free_columns.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

FreeColumns::FreeColumns(const Problem& problem, const VectorView& weights)
    : intercept_(problem.intercept()) {
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const std::vector<Index>& constant = problem.constant_columns();
  for (Index j = 0; j < problem.columns(); ++j) {
    const double weight = terms.absolute[j] + terms.square[j] + terms.fixed_square[j];
    if (std::binary_search(constant.begin(), constant.end(), j) || std::isinf(weight)) continue;
    (weight > 0.0 ? penalized_ : free_).push_back(j);
  }
  const Vector root = weights.cwiseSqrt();
  const Index free = static_cast<Index>(free_.size());
  columns_.resize(problem.rows(), (intercept_ ? 1 : 0) + free);
  if (intercept_) columns_.col(0) = root;
  columns_.rightCols(free) = root.asDiagonal() * problem.design().gather(free_);
  basis_ = blas::orthonormal_basis(columns_, tolerances::column_rank);
  if (!empty()) solutions_ = dense::least_squares(columns_, basis_);
}

void FreeColumns::project_out(Eigen::Ref<Matrix> columns) const {
  // Two passes of Gram-Schmidt give orthogonality to rounding ("twice is enough", Kahan and Parlett).
  for (int pass = 0; pass < 2 && basis_.cols() > 0; ++pass) {
    columns -= blas::multiply(basis_, blas::transpose_multiply(basis_, columns));
  }
}

void FreeColumns::solve(const VectorView& products, double& intercept, Vector& coefficients) const {
  if (empty()) return;
  const Vector solution = solutions_ * products;
  if (intercept_) intercept = solution[0];
  const Index first = intercept_ ? 1 : 0;
  for (std::size_t k = 0; k < free_.size(); ++k)
    coefficients[free_[k]] = solution[first + static_cast<Index>(k)];
}

}  // namespace alo
