// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "alo/problem.hpp"

namespace alo::testing_support {

// A weighted squared loss with squares of coefficients as plain least squares: rows sqrt(w_i) x_i with the
// response sqrt(w_i) (y_i - offset_i), and below them one row sqrt(q_k) e_k with the response 0 for each
// coefficient, which adds q_k b_k^2 / 2 to the objective. An intercept is not among the columns.
struct AugmentedRows {
  Matrix design;    // (n + p) x p
  Vector response;  // n + p
};

// Of these columns of the design, q their squares' factors.
inline AugmentedRows augmented_rows(const Problem& problem, const std::vector<Index>& columns,
                                    const Vector& q) {
  const Index n = problem.rows();
  const auto p = static_cast<Index>(columns.size());
  const Vector root = problem.data().weights.cwiseSqrt();
  AugmentedRows rows{Matrix::Zero(n + p, p), Vector::Zero(n + p)};
  rows.design.topRows(n) = root.asDiagonal() * problem.design().gather(columns);
  rows.design.bottomRows(p).diagonal() = q.cwiseSqrt();
  rows.response.head(n) = root.cwiseProduct(problem.data().response - problem.data().offset);
  return rows;
}

}  // namespace alo::testing_support
