// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <random>

#include "alo/penalties/generalized_lasso.hpp"

namespace alo::testing_support {

// A generalised lasso whose D has dependent rows: five more than its rank, which is one less than there are
// columns (one, if there is one column).
inline GeneralizedLasso dependent_terms(Index columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const Index rank = std::max<Index>(1, columns - 1);
  const Matrix some = Matrix::NullaryExpr(rank, columns, [&] { return normal(generator); });
  const Matrix mix = Matrix::NullaryExpr(rank + 5, rank, [&] { return normal(generator); });
  return GeneralizedLasso((mix * some).sparseView());
}

}  // namespace alo::testing_support
