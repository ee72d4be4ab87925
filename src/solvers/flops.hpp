// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/problem.hpp"

namespace alo {

// What operation counts are made from. Their factors are measured times over that of one operation of a
// matrix product: bench/compare/operation_counts measures them again and says by what each is off.
struct Sizes {
  double rows;
  double columns;
  double entries;  // of the design that are stored: rows times columns unless it is sparse
  double active;   // coefficients that are not zero, and the intercept
};
inline Sizes sizes_of(const Problem& problem, Index nonzero) {
  return {static_cast<double>(problem.rows()), static_cast<double>(problem.columns()),
          static_cast<double>(problem.design().stored_entries()), static_cast<double>(nonzero) + 1.0};
}

// A sum over the fits of a path, and what the path does once, which depends on its last fit.
template <class OfFit, class OfLast>
double sum_over_path(const Problem& problem, std::span<const Index> nonzero, OfFit of_fit, OfLast of_last) {
  if (nonzero.empty()) return 0.0;
  double sum = of_last(sizes_of(problem, nonzero.back()));
  for (const Index count : nonzero) sum += of_fit(sizes_of(problem, count));
  return sum;
}

}  // namespace alo
