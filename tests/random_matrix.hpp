// SPDX-License-Identifier: MIT
#pragma once

#include <random>

#include "alo/types.hpp"
#include "seed.hpp"

namespace alo::testing_support {

// Independent standard normal numbers, others with ALO_SEED.
inline Matrix normal_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937 generator(varied(seed));
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

}  // namespace alo::testing_support
