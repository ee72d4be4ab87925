// SPDX-License-Identifier: MIT
#include "problem/separable.hpp"

namespace alo {

bool has_absolute_values(const SeparableTerms& terms) {
  const auto squared = (terms.square + terms.fixed_square).array() > 0.0;
  return (terms.absolute.array() > 0.0 || !squared).all() && (terms.absolute.array() > 0.0).any();
}

bool is_ridge(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  return terms && (terms->absolute.array() == 0.0).all();
}

}  // namespace alo
