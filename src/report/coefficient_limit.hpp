// SPDX-License-Identifier: MIT
#pragma once

#include "alo/report.hpp"
#include "summary/words.hpp"

namespace alo::report {

// With more coefficients than this in one fit, or more than the second number in all fits of a path, they are
// written at the chosen lambdas only. A number takes up to 20 bytes of text, so that a fit takes 20 MB and a
// path 200 MB at most. At ten times the numbers a reader of the JSON needs 5 GB of memory.
constexpr Index fit_limit = 1'000'000;
constexpr Index path_limit = 10'000'000;

// Whether result.json and coefficients.csv hold the coefficients at every lambda.
inline bool has_path_coefficients(const Problem& problem, const TuneResult& result,
                                  const ReportContext& context) {
  const Index terms = term_count(problem);
  const auto fits = static_cast<Index>(result.path.size());
  return context.all_coefficients || (terms <= fit_limit && terms * fits <= path_limit);
}

}  // namespace alo::report
