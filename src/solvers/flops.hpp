// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/problem.hpp"

namespace alo {

// The sizes that operation counts are computed from. The factors in the counts are measured times divided by
// the time of one operation of a matrix product; bench/compare/operation_counts measures them again and
// prints the ratio of measured to counted operations.
// What a call of the library takes besides its arithmetic, about a microsecond: where rows and columns are
// few, this is most of the work.
constexpr double call_flops = 50'000.0;

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

// The sum over the fits of a path, plus the work that a path does once, which depends on its last fit.
template <class OfFit, class OfLast>
double sum_over_path(const Problem& problem, std::span<const Index> nonzero, OfFit of_fit, OfLast of_last) {
  if (nonzero.empty()) return 0.0;
  double sum = of_last(sizes_of(problem, nonzero.back()));
  for (const Index count : nonzero) sum += of_fit(sizes_of(problem, count));
  return sum;
}

}  // namespace alo
